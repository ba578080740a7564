import type { Diagnosis } from "../trace/diagnosis.ts";
import { namesOf, ran } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "model-never-asked",
  rank: 190,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    if (run.outcome !== "returned" || exchanges(run.trace).length > 0) return null;
    const runs = ran(run.trace);
    const which = names(namesOf(runs.map(({ call }) => call)));
    return {
      turn: 0,
      at: runs[0]?.call.at ?? run.at,
      headline: {
        es: "Tu función terminó sin preguntarle nada al modelo",
        en: "Your function ended without asking the model anything",
      },
      detail: text([
        {
          es: "De tu código no salió ninguna petición: el modelo esperaba el mensaje del usuario y no llegó a recibirlo.",
          en: "No request left your code: the model was waiting for the user's message and never got it.",
        },
        runs.length > 0
          ? {
              es: ` Sí ejecutó ${which.es}, que nadie había pedido.`,
              en: ` It did run ${which.en}, which nobody had asked for.`,
            }
          : "",
      ]),
      next: {
        es: "Sigue tu función línea a línea: ¿en cuál se llama al modelo, y llega el programa hasta ahí?",
        en: "Follow your function line by line: on which one is the model called, and does the program get there?",
      },
    };
  },
};

export default diagnosis;
