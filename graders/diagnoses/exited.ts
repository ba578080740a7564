import type { Diagnosis } from "../trace/diagnosis.ts";
import { lastTurn } from "./find/ending.ts";

const diagnosis: Diagnosis = {
  id: "exited",
  rank: 111,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    if (run.kind !== diagnosis.id) return null;
    return {
      turn: lastTurn(run.trace),
      at: run.at,
      headline: {
        es: "El programa se cerró antes de que `runAgent` terminara",
        en: "The program closed before `runAgent` had finished",
      },
      detail: {
        es: "El proceso entero se apagó, por ejemplo con `process.exit()`, y con él la conversación: quien llamó a `runAgent` no recibió ni una respuesta ni un error.",
        en: "The whole process went down, by `process.exit()` for instance, and the conversation with it: the caller of `runAgent` got neither an answer nor an error.",
      },
      next: {
        es: "¿Cómo puede avisar una función que algo salió mal sin apagar el programa que la llamó?",
        en: "How can a function say that something went wrong without shutting down the program that called it?",
      },
    };
  },
};

export default diagnosis;
