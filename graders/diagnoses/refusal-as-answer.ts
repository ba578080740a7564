import { isText } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import { givenBack } from "./find/given-back.ts";
import { soleStopReasonTest } from "./point/stop-reason.ts";
import { code, cut } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "refusal-as-answer",
  rank: 246,
  weight: "fault",
  exercise: "3.5",
  explains: ["preamble-as-answer"],
  detect(run) {
    const reply = givenBack(run);
    if (reply?.message.stop_reason !== "refusal") return null;
    const said = cut(reply.message.content.findLast(isText)?.text ?? "", 80);
    return {
      turn: reply.turn,
      at: soleStopReasonTest(run.source) ?? run.at,
      headline: {
        es: "Devolviste una negativa como si fuera la respuesta final",
        en: "You returned a refusal as if it were the final answer",
      },
      detail: {
        es: `Tu función devolvió «${said}». Esa respuesta llegó con \`stop_reason\` ${code("refusal")}: fue declinada, y lo que trae de texto puede haberse quedado a la mitad. La tarea no se hizo, el modelo no espera nada más, y quien recibe solo ese texto lo toma por el resultado.`,
        en: `Your function returned "${said}". That reply came with \`stop_reason\` ${code("refusal")}: it was declined, and such text as it brings may have stopped halfway. The task was not done, the model is waiting for nothing more, and whoever gets only that text takes it for the result.`,
      },
      next: {
        es: "¿Cómo distingue quien llama a `runAgent` una tarea hecha de una que el modelo no quiso hacer?",
        en: "How does the caller of `runAgent` tell a task that was done from one that the model would not do?",
      },
    };
  },
};

export default diagnosis;
