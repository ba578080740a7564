import type { Diagnosis } from "../trace/diagnosis.ts";
import { lastTurn } from "./find/ending.ts";

const diagnosis: Diagnosis = {
  id: "exited",
  rank: 111,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    if (run.kind !== diagnosis.id) return null;
    const broken = run.measured.brokenChannel === 1;
    return {
      turn: lastTurn(run.trace),
      at: run.at,
      headline: broken
        ? {
            es: "Tu código cortó el canal por el que viajan sus llamadas",
            en: "Your code cut the channel through which its calls go",
          }
        : {
            es: "El programa se cerró antes de que `runAgent` terminara",
            en: "The program closed before `runAgent` had finished",
          },
      detail: broken
        ? {
            es: "Las llamadas al modelo y a las herramientas salen del proceso por el descriptor de archivo 3. Tu código escribió en él o lo cerró, o le quitó a `process` los listeners que lo atienden, y por ahí ya no llegó nada que se pudiera leer. La conversación quedó cortada.",
            en: "Calls of the model and of the tools leave the process through file descriptor 3. Your code wrote to it or closed it, or removed the listeners of `process` that tend it, and nothing that could be read came through any more. The conversation was cut off there.",
          }
        : {
            es: "El proceso entero se apagó, por ejemplo con `process.exit()`, y con él la conversación: quien llamó a `runAgent` no recibió ni una respuesta ni un error.",
            en: "The whole process went down, by `process.exit()` for instance, and the conversation with it: the caller of `runAgent` got neither an answer nor an error.",
          },
      next: broken
        ? {
            es: "¿Qué línea de tu código usa descriptores de archivo o `process.removeAllListeners`, y para qué la necesita el bucle?",
            en: "Which line of your code uses file descriptors or `process.removeAllListeners`, and what does the loop need it for?",
          }
        : {
            es: "¿Cómo puede avisar una función que algo salió mal sin apagar el programa que la llamó?",
            en: "How can a function say that something went wrong without shutting down the program that called it?",
          },
    };
  },
};

export default diagnosis;
