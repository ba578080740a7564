import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent, ToolCallEvent } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { ran } from "./find/calls.ts";
import { lastTurn } from "./find/ending.ts";
import { exchanges } from "./find/requests.ts";
import { neverResolved } from "./point/promises.ts";
import { code, onLine, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "never-settles",
  rank: 750,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    if (run.kind !== diagnosis.id) return null;
    return {
      turn: lastTurn(run.trace),
      // Where a run stands still nobody sees; the last line that was seen to run is another one.
      at: neverResolved(run.source),
      headline: {
        es: "`runAgent` se quedó esperando una promesa que nadie va a cumplir",
        en: "`runAgent` is waiting for a promise that nobody will keep",
      },
      detail: text([
        {
          es: "No queda ninguna petición, herramienta ni temporizador en marcha, y `runAgent` aún no ha devuelto nada. Espera algo que ya nadie puede resolver: una promesa cuyo `resolve` no se llama, o un evento que no va a llegar.",
          en: "No request, tool or timer is under way any more, and `runAgent` has not returned. It waits for something that nobody can resolve now: a promise whose `resolve` is never called, or an event that will not come.",
        },
        lastDone(run),
      ]),
      next: {
        es: "Busca el `await` en el que se detuvo: ¿qué línea tendría que llamar a `resolve`, y por qué no llega a ella?",
        en: "Find the `await` it stopped at: which line should call `resolve`, and why is it not reached?",
      },
    };
  },
};

/** The last request or tool call, where it was answered: what is waited for came after it. Empty without one. */
function lastDone(run: Run): Text | "" {
  const last = run.trace.findLast(
    (event): event is RequestEvent | ToolCallEvent => event.type === "request" || event.type === "tool-call",
  );
  if (last === undefined || !isAnswered(run, last)) return "";
  const line = onLine(last.at);
  return last.type === "request"
    ? {
        es: ` Lo último que hizo fue una llamada al modelo${line.es}, que ya tiene respuesta: lo que espera es otra cosa.`,
        en: ` The last thing it did was to call the model${line.en}, which has answered: it waits for something else.`,
      }
    : {
        es: ` Lo último que hizo fue ejecutar ${code(last.name)}${line.es}, que ya terminó: lo que espera es otra cosa.`,
        en: ` The last thing it did was to run ${code(last.name)}${line.en}, which has finished: it waits for something else.`,
      };
}

function isAnswered({ trace }: Run, last: RequestEvent | ToolCallEvent): boolean {
  if (last.type === "request") return exchanges(trace).some(({ request, reply }) => request === last && reply !== null);
  const result = ran(trace).find(({ call }) => call === last)?.result;
  return result !== null && result !== undefined && result.outcome.kind !== "hung";
}

export default diagnosis;
