import type { Diagnosis } from "../trace/diagnosis.ts";
import { askedBy, delivered, ran } from "./find/calls.ts";
import { firstCallOnly } from "./point/patterns.ts";

const diagnosis: Diagnosis = {
  id: "first-call-only",
  rank: 910,
  weight: "advice",
  exercise: "2.4",
  detect(run) {
    // Where a reply asks for several calls, the trace shows what is lost; here it cannot, so it is a note on the source.
    const most = Math.max(0, ...delivered(run.trace).map((reply) => askedBy(reply).length));
    const spot = most === 1 && ran(run.trace).length > 0 ? firstCallOnly(run.source) : null;
    if (spot === null) return null;
    return {
      turn: 1,
      at: spot,
      headline: {
        es: "Hay otra trampa en este bucle; la verás en 2.4",
        en: "There is another trap in this loop; you will meet it in 2.4",
      },
      detail: {
        es: `En esta conversación el modelo pide una herramienta por turno, y así el bucle funciona. La línea ${spot.line} toma una sola llamada de la respuesta, y un turno puede traer varias.`,
        en: `In this conversation the model asks for one tool per turn, and so the loop works. Line ${spot.line} takes a single call from the reply, and a turn may bring several.`,
      },
      next: {
        es: "Por ahora puedes dejarlo. Si quieres adelantarte: ¿qué pasaría con la segunda llamada?",
        en: "You may leave it for now. To get ahead: what would become of a second call?",
      },
    };
  },
};

export default diagnosis;
