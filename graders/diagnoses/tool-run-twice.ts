import type { Diagnosis } from "../trace/diagnosis.ts";
import { staleRuns } from "./find/surplus.ts";
import { code, json, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "tool-run-twice",
  rank: 520,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    const found = staleRuns(run.trace)[0];
    if (found === undefined) return null;
    const { asked, runs, first } = found;
    return {
      turn: first.call.turn,
      at: first.call.at,
      headline: {
        es: "Tu bucle ejecutó la misma llamada más veces de las que el modelo pidió",
        en: "Your loop ran the same call more often than the model asked for it",
      },
      detail: {
        es: `El modelo pidió ${code(asked.name)} con ${json(asked.input, 80)} una sola vez y se ejecutó ${times(Math.max(2, runs)).es}, todas bien. Si la herramienta cobra, borra o envía algo, eso pasó más de una vez.`,
        en: `The model asked for ${code(asked.name)} with ${json(asked.input, 80)} only once and it was run ${times(Math.max(2, runs)).en}, each time well. If the tool charges, deletes or sends something, that happened more than once.`,
      },
      next: {
        es: "¿Qué dos lugares de tu código ejecutan la misma llamada?",
        en: "Which two places in your code run the same call?",
      },
    };
  },
};

export default diagnosis;
