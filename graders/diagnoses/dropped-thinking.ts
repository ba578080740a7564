import type { Block, ReplyBlock } from "../trace/api.ts";
import { isText, isToolUse } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent, Trace } from "../trace/events.ts";
import type { Text } from "../trace/text.ts";
import { type Delivered, delivered } from "./find/calls.ts";
import { blockText, type Exchange, exchanges } from "./find/requests.ts";
import { isServerToolUse } from "./find/server-tools.ts";
import { filtersThinking } from "./point/history.ts";
import { assistantTurn, filteredTurn } from "./point/messages.ts";
import { apiSaid, code, listed, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "dropped-thinking",
  rank: 455,
  weight: "fault",
  exercise: "6.3",
  explains: ["rejected-request-retried"],
  detect(run) {
    const found = withoutThinking(run.trace);
    if (found === null) return null;
    const { request, reply } = found.exchange;
    const types = names(found.lost.map(({ type }) => type));
    const asks = found.from.message.content.filter(isToolUse).map(({ name, id }) => `${code(name)} (${code(id)})`);
    const beside = asks.length > 0 ? listed(asks) : null;
    return {
      turn: request.turn,
      at: filtersThinking(run.source) ?? filteredTurn(run.source) ?? assistantTurn(run.source) ?? request.at,
      headline: {
        es: "Al devolver el turno del modelo le quitaste su razonamiento",
        en: "On sending the model's turn back you took its reasoning out",
      },
      detail: text([
        {
          es: `El último turno del modelo traía ${types.es}${beside ? ` junto a la petición de ${beside.es}` : ""}. `,
          en: `The model's latest turn brought ${types.en}${beside ? ` beside the request for ${beside.en}` : ""}. `,
        },
        whatIsLeft(found),
        {
          es: "Mientras el turno sigue abierto, el modelo espera recibirlo entero: con su razonamiento firmado retoma el hilo donde lo dejó al pedir la herramienta.",
          en: "As long as the turn is open the model expects it back whole: its signed reasoning is what lets it take up the thread where it left off to ask for the tool.",
        },
        apiSaid(reply),
      ]),
      next: {
        es: "Compara, bloque por bloque, `response.content` con lo que guardas en el historial: ¿quién decide cuáles pasan?",
        en: "Compare `response.content` with what you keep in the history, block by block: who decides which of them pass?",
      },
    };
  },
};

interface Dropped {
  exchange: Exchange;
  from: Delivered;
  lost: ReplyBlock[];
  /** What else of the reply the turn does not hold. */
  alsoLost: ReplyBlock[];
}

function whatIsLeft({ lost, alsoLost }: Dropped): Text {
  const one = lost.length === 1;
  if (alsoLost.length === 0) {
    return {
      es: `En el historial que enviaste está lo demás, pero no ${one ? "ese bloque" : "esos bloques"}. `,
      en: `The history you sent holds the rest, but not ${one ? "that block" : "those blocks"}. `,
    };
  }
  const more = names(alsoLost.map(({ type }) => type));
  return {
    es: `Al historial que enviaste no ${one ? "llegó ese bloque" : "llegaron esos bloques"}, ni tampoco lo que traía en ${more.es}. `,
    en: `The history you sent does not hold ${one ? "that block" : "those blocks"}, nor what the turn brought in ${more.en}. `,
  };
}

/**
 * The first request whose latest assistant turn holds a reply's calls and not all of its thinking. Older turns may go without,
 * and what a turn said in plain text may be left out of it: only thinking is signed.
 */
function withoutThinking(trace: Trace): Dropped | null {
  for (const exchange of exchanges(trace)) {
    const turn = exchange.request.history.findLast(({ role }) => role === "assistant")?.content ?? [];
    for (const from of heldIn(trace, exchange.request, turn)) {
      const lost = from.message.content.filter(
        (block) => isThinking(block) && !turn.some((each) => isSame(block, each)),
      );
      if (lost.length === 0) continue;
      const alsoLost = from.message.content.filter(
        (block) => !isThinking(block) && !turn.some((each) => isKept(block, each)),
      );
      return { exchange, from, lost, alsoLost };
    }
  }
  return null;
}

/** The replies whose calls, the host's or the API's, a turn holds. */
function heldIn(trace: Trace, request: RequestEvent, turn: readonly Block[]): Delivered[] {
  const ids = new Set(callIds(turn));
  if (ids.size === 0) return [];
  return delivered(trace).filter(
    ({ seq, message }) => seq < request.seq && callIds(message.content).some((id) => ids.has(id)),
  );
}

function callIds(content: readonly Block[]): string[] {
  return content.flatMap((block) => (isToolUse(block) || isServerToolUse(block) ? [block.id] : []));
}

function isThinking({ type }: ReplyBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** Whether a block of a history holds what one of the model's said: a text by its words, a call by its id, another by its type. */
function isKept(given: ReplyBlock, found: Block): boolean {
  if (isText(given)) return blockText(found).includes(given.text.trim());
  const id = callIds([given])[0];
  return id === undefined ? found.type === given.type : callIds([found]).includes(id);
}

/** Whether a block of a history is the one that the model gave, altered or not: an altered one is no dropped one. */
function isSame(given: ReplyBlock, found: Block): boolean {
  if (given.type === "thinking" && found.type === "thinking") {
    const { thinking, signature } = found as { thinking?: unknown; signature?: unknown };
    return given.signature === signature || (given.thinking !== "" && given.thinking === thinking);
  }
  if (given.type === "redacted_thinking" && found.type === "redacted_thinking")
    return given.data === (found as { data?: unknown }).data;
  return false;
}

export default diagnosis;
