import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import { isDelivered, ran, scriptOf } from "./find/calls.ts";
import { ACCIDENTS } from "./find/ending.ts";
import { type Lap, lapsOf } from "./find/repeats.ts";
import { exchanges } from "./find/requests.ts";
import { code, count, json, text } from "./words/words.ts";

/** A loop that went round as often as this may have met its cap: that it stopped at a repeat says nothing. */
const MAY_BE_A_CAP = 8;

const diagnosis: Diagnosis = {
  id: "legitimate-repeat-broken",
  rank: 605,
  weight: "fault",
  exercise: "4.2",
  explains: ["stopped-early", "preamble-as-answer"],
  detect(run) {
    const same = brokenAt(run);
    const last = same?.at(-1);
    const call = last?.calls[0];
    if (same === null || last === undefined || call === undefined) return null;
    const outcomes = new Set(same.slice(0, -1).map(({ outcome }) => outcome)).size;
    const asked = count(same.length, ["vez", "veces"], ["time", "times"]);
    const calls = ran(run.trace).filter((each) => each.call.seq > last.reply.seq);
    return {
      turn: last.reply.turn,
      at: calls.at(-1)?.call.at ?? run.error?.stack[0] ?? run.at,
      headline: {
        es: "El modelo estaba esperando a que algo terminara, y tu bucle lo tomó por atascado",
        en: "The model was waiting for something to finish, and your loop took it for stuck",
      },
      detail: text([
        {
          es: `En su respuesta ${last.reply.turn} el modelo pidió ${code(call.name)} con ${json(call.input)}, lo mismo que antes (${asked.es} en total), y tu bucle terminó ahí. `,
          en: `In its reply ${last.reply.turn} the model asked for ${code(call.name)} with ${json(call.input)}, the same as before (${asked.en} in all), and your loop ended there. `,
        },
        outcomes > 1
          ? {
              es: `Pero los resultados no eran los mismos: ya hubo ${outcomes} distintos. Eso es avanzar, y el modelo esperaba el siguiente para poder responder.`,
              en: `But the results were not the same: there had been ${outcomes} different ones. That is progress, and the model was waiting for the next one to give its answer.`,
            }
          : {
              es: "Que se repita la llamada no dice nada del resultado: preguntar otra vez es como se espera a que algo termine, y el modelo iba a seguir.",
              en: "That a call comes again says nothing about its result: asking again is how one waits for something to finish, and the model was about to go on.",
            },
      ]),
      next: {
        es: "¿Qué comparas para decidir que no hay avance: solo lo que el modelo pide, o también lo que le responden?",
        en: "What do you compare to decide that there is no progress: only what the model asks for, or also what comes back?",
      },
    };
  },
};

/** The laps that ask for the very same, where the loop gave up at the latest of them though the script went on; else null. */
function brokenAt(run: Run): Lap[] | null {
  const { scenario, error } = run;
  if (scenario.stuck || scenario.endlessFrom !== null) return null;
  // There are other reasons to stop in time.
  if (scenario.options.abortAfterMs !== null || scenario.options.budget !== null) return null;
  if (run.outcome !== "returned" && run.outcome !== "threw") return null;
  if (error !== null && (ACCIDENTS.includes(error.name) || isToolsError(run, error.message))) return null;
  const laps = lapsOf(run.trace);
  const last = laps.at(-1);
  const ended = exchanges(run.trace).at(-1)?.reply ?? null;
  if (last === undefined || ended !== last.reply || !isDelivered(ended)) return null;
  if (ended.message.stop_reason !== "tool_use" || laps.length >= Math.min(MAY_BE_A_CAP, run.cap ?? MAY_BE_A_CAP))
    return null;
  const hard = last.calls.some((asked) => {
    const scripted = scriptOf(scenario, asked);
    return scripted === null || scripted.refuse || scripted.invented;
  });
  const same = laps.filter(({ key }) => key === last.key);
  return hard || same.length < 2 ? null : same;
}

/** Whether what was thrown is a tool's own error. */
function isToolsError({ trace }: Run, message: string): boolean {
  return ran(trace).some(({ result }) => result?.outcome.kind === "error" && message.includes(result.outcome.message));
}

export default diagnosis;
