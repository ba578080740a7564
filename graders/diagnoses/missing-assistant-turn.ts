import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import { askedBy, type Delivered, delivered, namesOf } from "./find/calls.ts";
import { holding, orphans } from "./find/pairing.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { sameTurn, saysResult } from "./find/restarts.ts";
import { SAME_TURN } from "./limits/limits.ts";
import { resultsWithoutTurn } from "./point/messages.ts";
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
      at: resultsWithoutTurn(run.source) ?? request.at,
      headline: found.withResult
        ? {
            es: "Enviaste el resultado sin el turno del modelo que lo pidió",
            en: "You sent the result without the model's turn that asked for it",
          }
        : {
            es: "Lo último que pidió el modelo no está en el historial que enviaste",
            en: "What the model asked for last is not in the history you sent",
          },
      detail: text([
        found.withResult
          ? {
              es: `El modelo pidió ${which.es}. En la petición siguiente está lo que hizo la herramienta, pero no el turno de \`assistant\` con su \`tool_use\`: el modelo solo sabe lo que dice el historial, y ahí nadie pidió nada.`,
              en: `The model asked for ${which.en}. The next request holds what the tool did, but not the \`assistant\` turn with its \`tool_use\`: the model knows only what the history says, and there nobody asked for anything.`,
            }
          : {
              es: `El modelo pidió ${which.es}. En la petición siguiente no están ni su turno de \`assistant\` con ese \`tool_use\` ni lo que hizo la herramienta: el modelo solo sabe lo que dice el historial.`,
              en: `The model asked for ${which.en}. The next request holds neither its \`assistant\` turn with that \`tool_use\` nor what the tool did: the model knows only what the history says.`,
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

/** A request that holds no call of the reply before it. */
interface Turnless {
  exchange: Exchange;
  asking: Delivered;
  /** Whether it holds what the tool gave back for it. */
  withResult: boolean;
}

/** The first request with results of a reply that is not in its history; in a run ended for it, the first without the reply. */
function turnless(run: Run): Turnless | null {
  const orphan = orphans(run.trace).find(({ why, asked }) => why === "no-turn" && asked !== null);
  if (orphan?.asked) return { exchange: orphan, asking: orphan.asked.reply, withResult: true };
  let bare: Turnless | null = null;
  for (const exchange of exchanges(run.trace)) {
    const { request } = exchange;
    const last = delivered(run.trace).findLast(({ seq }) => seq < request.seq);
    if (last === undefined || askedBy(last).length === 0 || holding(run.scenario, request, last) !== "absent") continue;
    const withResult = saysResult(run.trace, request, last.seq);
    if (withResult) return { exchange, asking: last, withResult };
    bare ??= { exchange, asking: last, withResult };
  }
  return run.kind === diagnosis.id ? bare : null;
}

export default diagnosis;
