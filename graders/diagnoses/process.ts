import type { Diagnosis } from "../trace/diagnosis.ts";
import { refusedBy } from "./find/ending.ts";
import { code } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "process",
  rank: 102,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    const refused = refusedBy(run, "process");
    if (refused === null) return null;
    const what = refused.detail === "" ? "" : `: ${code(refused.detail, 80)}`;
    return {
      turn: refused.turn,
      at: refused.at ?? run.at,
      headline: {
        es: "Tu código quiso lanzar, parar o cambiar un proceso o un hilo, y aquí no puede",
        en: "Your code tried to start, stop or change a process or thread, which it cannot do here",
      },
      detail: {
        es: `El ejercicio se ejecuta en un solo proceso y la operación fue rechazada${what}. Si el modelo pide ejecutar algo, eso lo hace una herramienta: \`executeTool\`.`,
        en: `The exercise runs in a single process and the operation was refused${what}. When the model asks for something to be run, a tool does that: \`executeTool\`.`,
      },
      next: {
        es: "¿Qué tenía que conseguir esa operación, y qué herramienta de `tools`, o qué `await`, lo hace sin ella?",
        en: "What was that operation for, and which of the `tools`, or which `await`, does it without it?",
      },
    };
  },
};

export default diagnosis;
