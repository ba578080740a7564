import type { Diagnosis } from "../trace/diagnosis.ts";
import { ran } from "./find/calls.ts";
import { lastTurn } from "./find/ending.ts";
import { code } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "never-settles",
  rank: 750,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    if (run.kind !== diagnosis.id) return null;
    const hung = ran(run.trace).filter(({ result }) => result?.outcome.kind === "hung");
    const turn = lastTurn(run.trace);
    if (hung.length > 0) {
      const which = code(hung[0]?.call.name);
      return {
        turn,
        at: hung[0]?.call.at ?? run.at,
        headline: {
          es: "Una herramienta no contesta nunca y tu bucle la sigue esperando",
          en: "A tool never answers and your loop is still waiting for it",
        },
        detail: {
          es: `${which} quedó colgada: no devuelve nada ni falla. Tu bucle la espera sin plazo, y el modelo espera a tu bucle. No queda nada pendiente que pueda despertarlo.`,
          en: `${which} hangs: it neither returns nor fails. Your loop waits for it with no deadline, and the model waits for your loop. Nothing is left that could wake it.`,
        },
        next: {
          es: "¿Cuánto vale la pena esperar a una herramienta, y qué le dirías al modelo cuando se acabe ese plazo?",
          en: "How long is a tool worth waiting for, and what would you tell the model when that time is up?",
        },
      };
    }
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
