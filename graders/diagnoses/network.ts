import type { Diagnosis } from "../trace/diagnosis.ts";
import { refusedBy } from "./find/ending.ts";
import { code } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "network",
  rank: 100,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    const refused = refusedBy(run, "network");
    if (refused === null) return null;
    const where =
      refused.detail === ""
        ? { es: "", en: "" }
        : { es: `: ${code(refused.detail, 80)}`, en: `: ${code(refused.detail, 80)}` };
    return {
      turn: refused.turn,
      at: refused.at ?? run.at,
      headline: {
        es: "Tu código quiso salir a la red, y aquí no hay red",
        en: "Your code tried to use the network, and there is none here",
      },
      detail: {
        es: `El ejercicio se ejecuta aislado y esa conexión fue rechazada${where.es}. Lo único que responde es el modelo, por la API de mensajes, y las herramientas que recibe \`runAgent\`.`,
        en: `The exercise runs isolated and that connection was refused${where.en}. All that answers is the model, through the messages API, and the tools that \`runAgent\` is given.`,
      },
      next: {
        es: "Consigue el mismo dato con una herramienta de `tools` o quita esa conexión.",
        en: "Get the same thing from one of the `tools`, or take that connection out.",
      },
    };
  },
};

export default diagnosis;
