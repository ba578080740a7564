import type { Diagnosis } from "../trace/diagnosis.ts";
import { isNothing, settled } from "./find/answer.ts";
import { isPassingFault } from "./find/faults.ts";
import { exchanges } from "./find/requests.ts";
import { apiSaid, text, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "overload-not-retried",
  rank: 550,
  weight: "fault",
  exercise: "5.4",
  explains: ["stopped-early", "preamble-as-answer", "uncaught"],
  detect(run) {
    if (run.outcome !== "threw" && run.outcome !== "returned" && run.kind !== "uncaught") return null;
    const all = exchanges(run.trace);
    const last = all.at(-1);
    const fault = last?.reply ?? null;
    if (last === undefined || fault === null || !isPassingFault(fault)) return null;
    // A reply that broke off and was handed on as it was is another matter: the loop did not even notice.
    if (fault.broke !== null && run.outcome === "returned" && !isNothing(settled(run.trace)?.value)) return null;
    // Giving up on a server that stays down is right: only where the next attempt would have been answered is it too soon.
    if (run.scenario.entry(fault.next).kind !== "reply") return null;
    const attempts = all.length - 1 - all.findLastIndex(({ reply }) => !isPassingFault(reply));
    return {
      turn: last.request.turn,
      at: last.request.at,
      headline: {
        es: "El servidor estaba ocupado un momento y tu bucle se rindió",
        en: "The server was busy for a moment and your loop gave up",
      },
      detail: text([
        {
          es: `La petición falló ${times(attempts).es} del lado del servidor, y tu código no volvió a intentarlo. No había nada mal en lo que enviaste: el intento siguiente habría recibido respuesta.`,
          en: `The request failed ${times(attempts).en} on the server's side, and your code did not try again. Nothing was wrong with what you sent: the next attempt would have been answered.`,
        },
        apiSaid(fault),
      ]),
      next: {
        es: "¿Qué errores de la API se arreglan esperando un poco, y cuántos intentos les das?",
        en: "Which errors of the API mend by waiting a little, and how many attempts do you give them?",
      },
    };
  },
};

export default diagnosis;
