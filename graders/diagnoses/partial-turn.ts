import type { ReplyBlock } from "../trace/api.ts";
import { isText, isToolResult, isToolUse } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { askedBy, type Delivered, delivered, namesOf } from "./find/calls.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { nonces } from "./find/script.ts";
import { assistantTurn, filteredTurn } from "./point/messages.ts";
import { apiSaid, code, listed, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "partial-turn",
  rank: 345,
  weight: "fault",
  exercise: "2.5",
  explains: ["rejected-request-retried"],
  detect(run) {
    const found = inPart(run);
    if (found === null) return null;
    const { request, reply } = found.exchange;
    const answered = found.lost.filter(isToolUse).filter(({ id }) => answeredIn(request).has(id));
    const whole = names(found.from.message.content.map(({ type }) => type));
    const lost = missing(found.lost);
    return {
      turn: request.turn,
      at: filteredTurn(run.source) ?? assistantTurn(run.source) ?? request.at,
      headline: {
        es: "Del turno del modelo guardaste solo una parte",
        en: "You kept only a part of the model's turn",
      },
      detail: text([
        {
          es: `La respuesta del modelo traía ${whole.es}. En el historial que enviaste después está su turno, pero le falta ${lost.es}. `,
          en: `The model's reply brought ${whole.en}. The history you sent next holds its turn, without ${lost.en}. `,
        },
        answered.length > 0
          ? {
              es: `Y sí va el resultado de ${names(namesOf(answered)).es}: para el modelo, responde a algo que nadie pidió.`,
              en: `Yet the result of ${names(namesOf(answered)).en} is there: as far as the model can tell, it answers what nobody asked for.`,
            }
          : {
              es: "El modelo solo sabe lo que dice el historial: lo que falta ahí, para él no lo ha dicho.",
              en: "The model knows only what the history says: what is missing there it has not said, as far as it can tell.",
            },
        apiSaid(reply),
      ]),
      next: {
        es: `Compara, bloque por bloque, lo que llegó en ${code("response.content")} con lo que guardas: ¿cuál no pasa?`,
        en: `Compare what came in ${code("response.content")} with what you keep, block by block: which of them does not get through?`,
      },
    };
  },
};

/** What a turn lacks: its words, and which calls. */
function missing(lost: readonly ReplyBlock[]): Text {
  const [words, calls] = [lost.some(isText), lost.filter(isToolUse)];
  const ids = calls.map(({ name, id }) => `${code(name)} (${code(id)})`);
  const one = calls.length === 1;
  return {
    es: listed([...(words ? ["su `text`"] : []), ...ids.map((id) => `la llamada a ${id}`)]).es,
    en: listed([
      ...(words ? ["its `text`"] : []),
      ...(calls.length > 0 ? [`the ${one ? "call" : "calls"} of ${listed(ids).en}`] : []),
    ]).en,
  };
}

interface Part {
  exchange: Exchange;
  from: Delivered;
  /** The blocks that its turn does not hold. */
  lost: ReplyBlock[];
}

/**
 * The first turn that the first request with anything of it holds in part: later it may be trimmed. Where the exercise does not
 * ask for the whole conversation only a call is missed whose result is there. The words of a turn without its thinking are told
 * with that.
 */
function inPart(run: Run): Part | null {
  const whole = run.demands?.includes("whole-history") ?? false;
  for (const from of delivered(run.trace)) {
    // Of a turn that was cut short a loop may keep what is whole.
    if (from.message.stop_reason !== "tool_use") continue;
    const ids = new Set(askedBy(from).map(({ id }) => id));
    const exchange = exchanges(run.trace).find(
      ({ request }) => request.seq > from.seq && held(request).some((id) => ids.has(id)),
    );
    if (exchange === undefined) continue;
    const { request } = exchange;
    const answered = answeredIn(request);
    const here = held(request);
    const calls = from.message.content.filter(
      (block) => isToolUse(block) && !here.includes(block.id) && (whole || answered.has(block.id)),
    );
    const words = whole && holdsThinking(request, from, ids) ? lostWords(run, request, from) : [];
    const lost = from.message.content.filter((block) => calls.includes(block) || words.includes(block));
    if (lost.length > 0) return { exchange, from, lost };
  }
  return null;
}

/** The ids of the calls that a request holds a result of. */
function answeredIn({ history }: RequestEvent): Set<string> {
  return new Set(history.flatMap(({ content }) => content.filter(isToolResult).map((result) => result.tool_use_id)));
}

/** The ids of the calls in a request's turns of the model. */
function held({ history }: RequestEvent): string[] {
  return history
    .filter(({ role }) => role === "assistant")
    .flatMap(({ content }) => content.filter(isToolUse).map(({ id }) => id));
}

/** Whether a request's turn has as many blocks of thinking as the reply. */
function holdsThinking({ history }: RequestEvent, from: Delivered, ids: ReadonlySet<string>): boolean {
  const turn = history.find(({ content }) => content.some((block) => isToolUse(block) && ids.has(block.id)));
  const thoughts = (content: readonly { type: string }[]) =>
    content.filter(({ type }) => type.includes("thinking")).length;
  return thoughts(turn?.content ?? []) >= thoughts(from.message.content);
}

/** The blocks of text of which no turn in a request says a word. */
function lostWords(run: Run, { history }: RequestEvent, from: Delivered): ReplyBlock[] {
  const said = history
    .filter(({ role }) => role === "assistant")
    .flatMap(({ content }) => content.filter(isText).map(({ text: words }) => String(words)));
  const marks = nonces(run.scenario, from).text;
  return from.message.content
    .filter(isText)
    .filter((block) => block.text.trim() !== "")
    .filter((block) => {
      const mark = marks.find((each) => block.text.includes(each)) ?? block.text.trim();
      return !said.some((words) => words.includes(mark));
    });
}

export default diagnosis;
