import { isText } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import { askedBy, type Delivered, delivered, namesOf, ran } from "./find/calls.ts";
import { holding, orphans } from "./find/pairing.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { SAME_TURN } from "./limits/limits.ts";
import { apiSaid, names, text, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "missing-assistant-turn",
  rank: 350,
  weight: "fault",
  exercise: "2.5",
  explains: ["stopped-early", "preamble-as-answer", "wrong-tool-use-id", "rejected-request-retried"],
  stops: (trace) => sameTurn(trace) >= SAME_TURN,
  detect(run) {
    const found = turnless(run);
    if (found === null) return null;
    const { request, reply } = found.exchange;
    const which = names(namesOf(askedBy(found.asking)));
    const again = sameTurn(run.trace);
    return {
      turn: request.turn,
      at: request.at,
      headline: {
        es: "Enviaste el resultado sin el turno del modelo que lo pidió",
        en: "You sent the result without the model's turn that asked for it",
      },
      detail: text([
        {
          es: `El modelo pidió ${which.es}. En la petición siguiente está lo que hizo la herramienta, pero no el turno de \`assistant\` con su \`tool_use\`: el modelo solo sabe lo que dice el historial, y ahí nadie pidió nada.`,
          en: `The model asked for ${which.en}. The next request holds what the tool did, but not the \`assistant\` turn with its \`tool_use\`: the model knows only what the history says, and there nobody asked for anything.`,
        },
        again > 1 && reply?.kind !== "rejection"
          ? {
              es: ` Por eso volvió a pedir lo mismo: dio ese turno ${times(again).es}.`,
              en: ` So it asked for the same again: it gave that turn ${times(again).en}.`,
            }
          : "",
        apiSaid(reply),
      ]),
      next: {
        es: "Escribe en orden quién habla en cada mensaje: ¿qué va entre la pregunta y el resultado?",
        en: "Write down in order who speaks in each message: what goes between the question and the result?",
      },
    };
  },
};

/** How often the turn of the script that was given most often was given: its history never held it. */
function sameTurn(trace: Trace): number {
  const given = new Map<number, number>();
  for (const { entry, complete, final } of delivered(trace)) {
    if (entry !== null && complete && !final) given.set(entry, (given.get(entry) ?? 0) + 1);
  }
  return Math.max(0, ...given.values());
}

/** The first request with results of a reply that is not in its history. */
function turnless(run: Run): { exchange: Exchange; asking: Delivered } | null {
  const orphan = orphans(run.trace).find(({ why, asked }) => why === "no-turn" && asked !== null);
  if (orphan?.asked) return { exchange: orphan, asking: orphan.asked.reply };
  for (const exchange of exchanges(run.trace)) {
    const { request } = exchange;
    const last = delivered(run.trace).findLast(({ seq }) => seq < request.seq);
    if (last === undefined || askedBy(last).length === 0 || holding(run.scenario, request, last) !== "absent") continue;
    const marks = ran(run.trace)
      .filter(({ call }) => call.seq > last.seq && call.seq < request.seq)
      .flatMap(({ result }) =>
        result?.outcome.kind === "value" && result.outcome.nonce !== null ? [result.outcome.nonce] : [],
      );
    const said = request.history.filter(({ role }) => role === "user").flatMap(({ content }) => content.filter(isText));
    if (said.some((block) => marks.some((mark) => String(block.text).includes(mark))))
      return { exchange, asking: last };
    if (run.kind === diagnosis.id) return { exchange, asking: last };
  }
  return null;
}

export default diagnosis;
