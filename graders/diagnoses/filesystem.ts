import type { Diagnosis } from "../trace/diagnosis.ts";
import { refusedBy } from "./find/ending.ts";
import { code } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "filesystem",
  rank: 101,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    const refused = refusedBy(run, "filesystem");
    if (refused === null) return null;
    const what = refused.detail === "" ? "" : `: ${code(refused.detail, 80)}`;
    return {
      turn: refused.turn,
      at: refused.at ?? run.at,
      headline: {
        es: "Tu código quiso leer o escribir archivos, y aquí no puede",
        en: "Your code tried to read or write files, and it cannot do so here",
      },
      detail: {
        es: `El ejercicio se ejecuta sin acceso al disco y la operación fue rechazada${what}. El bucle no lo necesita: recibe \`userInput\` y \`tools\`, y devuelve su respuesta.`,
        en: `The exercise runs without access to the disk and the operation was refused${what}. The loop does not need it: it is given \`userInput\` and \`tools\`, and returns its answer.`,
      },
      next: {
        es: "Guarda lo que necesites en una variable; para mirar algo mientras pruebas, usa `console.log`.",
        en: "Keep what you need in a variable; to look at something while you try things, use `console.log`.",
      },
    };
  },
};

export default diagnosis;
