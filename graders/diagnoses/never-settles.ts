import type { Diagnosis } from "../trace/diagnosis.ts";
import { lastTurn } from "./find/ending.ts";

const diagnosis: Diagnosis = {
  id: "never-settles",
  rank: 750,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    if (run.kind !== diagnosis.id) return null;
    const turn = lastTurn(run.trace);
    return {
      turn,
      at: run.at,
      headline: {
        es: "`runAgent` se quedó esperando una promesa que nadie va a cumplir",
        en: "`runAgent` is waiting for a promise that nobody will keep",
      },
      detail: {
        es: "No queda ninguna petición, herramienta ni temporizador en marcha, y `runAgent` aún no ha devuelto nada. Espera algo que ya nadie puede resolver: una promesa cuyo `resolve` no se llama, o un evento que no va a llegar.",
        en: "No request, tool or timer is under way any more, and `runAgent` has not returned. It waits for something that nobody can resolve now: a promise whose `resolve` is never called, or an event that will not come.",
      },
      next: {
        es: "Sigue el `await` en el que se detuvo: ¿qué línea tendría que llamar a `resolve`, y por qué no llega a ella?",
        en: "Follow the `await` it stopped at: which line should call `resolve`, and why is it not reached?",
      },
    };
  },
};

export default diagnosis;
