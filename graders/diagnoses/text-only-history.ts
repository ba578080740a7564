import { isToolUse } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import { type Asked, askedBy, delivered, namesOf } from "./find/calls.ts";
import { holding, orphans } from "./find/pairing.ts";
import { blockText, type Exchange, exchanges, hasBareTurn } from "./find/requests.ts";
import { assistantTurn } from "./point/messages.ts";
import { apiSaid, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "text-only-history",
  rank: 340,
  weight: "fault",
  exercise: "2.5",
  explains: [
    "empty-message-pushed",
    "wrong-tool-use-id",
    "tool-run-twice",
    "rejected-request-retried",
    "orphaned-tool-result",
  ],
  detect(run) {
    const found = stripped(run);
    if (found === null) return null;
    const { request, reply } = found.exchange;
    const which = names(namesOf(found.calls));
    if (isWrittenOut(request, found.calls)) {
      return {
        turn: request.turn,
        at: assistantTurn(run.source) ?? request.at,
        headline: {
          es: "Guardaste el turno del modelo como texto, y su petición ya no es un bloque",
          en: "You kept the model's turn as text, and what it asked for is no block any more",
        },
        detail: text([
          {
            es: `El modelo pidió ${which.es}. En el historial que enviaste después, su turno es un texto con el JSON de sus bloques: un \`tool_use\` escrito dentro de un texto no es un bloque \`tool_use\`. Para él, nunca pidió nada, y el resultado que recibe no responde a ninguna llamada.`,
            en: `The model asked for ${which.en}. In the history you sent next its turn is a text with the JSON of its blocks: a \`tool_use\` written inside a text is no \`tool_use\` block. As far as it can tell it never asked for anything, and the result it gets answers no call.`,
          },
          apiSaid(reply),
        ]),
        next: {
          es: "¿De qué tipo es `response.content`, y de qué tipo es lo que guardas en su lugar?",
          en: "Of what type is `response.content`, and of what type is what you keep in its place?",
        },
      };
    }
    return {
      turn: request.turn,
      at: assistantTurn(run.source) ?? request.at,
      headline: {
        es: "Del turno del modelo guardaste el texto, pero no lo que pidió",
        en: "You kept the text of the model's turn, but not what it asked for",
      },
      detail: text([
        {
          es: `El modelo pidió ${which.es}, y en el historial que enviaste después su turno ya no tiene ese \`tool_use\`. Para él, nunca pidió nada, y el resultado que recibe no responde a ninguna llamada.`,
          en: `The model asked for ${which.en}, and in the history you sent next its turn no longer holds that \`tool_use\`. As far as it can tell it never asked for anything, and the result it gets answers no call.`,
        },
        apiSaid(reply),
      ]),
      next: {
        es: "`content` es una lista de bloques. ¿Qué bloques trae la respuesta y cuáles llegaron al historial?",
        en: "`content` is a list of blocks. Which blocks does the reply bring, and which of them reached the history?",
      },
    };
  },
};

/** The first request that holds a reply without its calls. */
function stripped(run: Run): { exchange: Exchange; calls: readonly Asked[] } | null {
  const orphaned = orphans(run.trace);
  for (const exchange of exchanges(run.trace)) {
    const { request, reply } = exchange;
    if (hasBareTurn(request)) continue;
    const orphan = orphaned.find((each) => each.request === request && each.why === "text-only");
    if (orphan?.asked) return { exchange, calls: askedBy(orphan.asked.reply) };
    const last = delivered(run.trace).findLast(({ seq }) => seq < request.seq);
    if (last === undefined || !last.complete || askedBy(last).length === 0) continue;
    if (holding(run.scenario, request, last) === "text") return { exchange, calls: askedBy(last) };
    // A turn that opened with a call and had no text: what is left of it is empty.
    if (reply?.kind !== "rejection") continue;
    const turn = request.history.findLast(({ role }) => role === "assistant");
    if (turn && !turn.content.some(isToolUse) && turn.content.every((block) => blockText(block).trim() === "")) {
      return { exchange, calls: askedBy(last) };
    }
  }
  return null;
}

/** Whether a text of the model's turns holds its calls as JSON: their ids, and what they are. */
function isWrittenOut({ history }: RequestEvent, calls: readonly Asked[]): boolean {
  const texts = history.filter(({ role }) => role === "assistant").flatMap(({ content }) => content.map(blockText));
  return calls.every(({ id }) => texts.some((said) => said.includes(id) && said.includes("tool_use")));
}

export default diagnosis;
