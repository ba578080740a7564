import type { Diagnosis } from "../trace/diagnosis.ts";
import { lastTurn } from "./find/ending.ts";
import { count } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "out-of-memory",
  rank: 110,
  weight: "fault",
  exercise: "4.1",
  detect(run) {
    if (run.kind !== diagnosis.id) return null;
    const replies = count(run.counts.callModel, ["respuesta", "respuestas"], ["reply", "replies"]);
    const tools = count(
      run.counts.executeTool,
      ["herramienta ejecutada", "herramientas ejecutadas"],
      ["tool run", "tool runs"],
    );
    return {
      turn: lastTurn(run.trace),
      at: run.at,
      headline: {
        es: "Tu código llenó toda la memoria que tenía",
        en: "Your code filled all the memory it had",
      },
      detail: {
        es: `Algo creció hasta que no cupo más. Hasta ahí: ${replies.es} del modelo y ${tools.es}. Suele ser una lista o un texto al que un bucle le agrega algo en cada vuelta, sin esperar a nadie.`,
        en: `Something grew until there was no room left. Up to there: ${replies.en} of the model and ${tools.en}. It is usually a list or a text that a loop adds to on each pass, waiting for nobody.`,
      },
      next: {
        es: "¿Qué variable de tu bucle solo crece, y qué tendría que pasar para que el bucle termine?",
        en: "Which variable of your loop only grows, and what would have to happen for the loop to end?",
      },
    };
  },
};

export default diagnosis;
