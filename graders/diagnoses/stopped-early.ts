import type { Diagnosis } from "../trace/diagnosis.ts";
import { givesReason, settled } from "./find/answer.ts";
import { askedBy, delivered, namesOf, ran } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { hadToStop } from "./find/stop.ts";
import { cutShort } from "./point/way-out.ts";
import { names } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "stopped-early",
  rank: 610,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    const last = delivered(run.trace).at(-1);
    const end = settled(run.trace);
    if (run.outcome !== "returned" || last === undefined || end === null) return null;
    // Of a conversation without end, stopping is what is asked for; a value that says so gives up on purpose.
    if (run.scenario.endlessFrom !== null || givesReason(end.value)) return null;
    // Nor is it too early once whoever called has aborted the run, or the tokens it was given are spent.
    if (hadToStop(run)) return null;
    if (last.message.stop_reason !== "tool_use" || askedBy(last).length === 0) return null;
    // After a rejection or a fault something else ended the loop.
    if (exchanges(run.trace).at(-1)?.reply !== last) return null;
    const asks = names(namesOf(askedBy(last)));
    const calls = ran(run.trace).filter(({ call }) => call.seq > last.seq);
    const given = delivered(run.trace).length;
    return {
      turn: last.turn,
      at:
        cutShort(run.source, { stopReason: last.message.stop_reason, value: end.value }) ??
        calls.at(-1)?.call.at ??
        run.at,
      headline: {
        es: "Tu bucle terminó cuando el modelo todavía esperaba resultados",
        en: "Your loop ended while the model was still waiting for results",
      },
      detail:
        calls.length > 0
          ? {
              es: `En su respuesta ${given} el modelo pidió ${asks.es}. La herramienta se ejecutó, pero el resultado no volvió al modelo: tu función devolvió antes de enviarlo.`,
              en: `In its reply ${given} the model asked for ${asks.en}. The tool was run, but the result never went back to the model: your function returned before sending it.`,
            }
          : {
              es: `La respuesta ${given} del modelo llegó con \`stop_reason: "tool_use"\` y pedía ${asks.es}. Tu función terminó ahí, sin ejecutar nada: la tarea quedó a medias.`,
              en: `The model's reply ${given} came with \`stop_reason: "tool_use"\` and asked for ${asks.en}. Your function returned without running anything: the task was left half done.`,
            },
      next: {
        es: "¿Qué tiene que pasar para que tu bucle dé otra vuelta, y por qué esta vez no pasó?",
        en: "What has to happen for your loop to make another pass, and why did it not happen this time?",
      },
    };
  },
};

export default diagnosis;
