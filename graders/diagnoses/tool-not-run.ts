import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import { answeredFromMemory, answeredWithoutRunning } from "./find/not-run.ts";
import { blockText } from "./find/requests.ts";
import { remembered } from "./point/left-out.ts";
import { resultField } from "./point/messages.ts";
import { fixedContent } from "./point/results.ts";
import { code, cut, json } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "tool-not-run",
  rank: 510,
  weight: "fault",
  exercise: "2.4",
  detect(run) {
    // A host that turns a call down says so by `is_error`.
    const found = answeredWithoutRunning(run).find(({ result }) => result.is_error !== true);
    if (found === undefined) return fromMemory(run);
    const said = cut(blockText(found.result), 80);
    return {
      turn: found.request.turn,
      at: fixedContent(run.source) ?? resultField(run.source, "content", false) ?? found.request.at,
      headline: {
        es: "Respondiste por una herramienta que nunca se ejecutó",
        en: "You answered for a tool that was never run",
      },
      detail: {
        es: `El modelo pidió ${code(found.asked.name)} y recibió como resultado «${said}», pero esa herramienta no se ejecutó. Va a razonar sobre ese dato como si fuera cierto.`,
        en: `The model asked for ${code(found.asked.name)} and got "${said}" as its result, but that tool was not run. It will reason on that as if it were true.`,
      },
      next: {
        es: "¿De dónde sale el texto del `tool_result`: de `executeTool` o de tu código?",
        en: "Where does the text of the `tool_result` come from: from `executeTool` or from your own code?",
      },
    };
  },
};

/** The model asked again for what it had asked for before, and got the old result. */
function fromMemory(run: Run): Finding | null {
  const found = answeredFromMemory(run)[0];
  if (found === undefined) return null;
  const name = code(found.asked.name);
  const input = json(found.asked.input, 80);
  return {
    turn: found.request.turn,
    at: remembered(run.source) ?? found.request.at,
    headline: {
      es: "El modelo pidió otra vez una herramienta y recibió el resultado de antes",
      en: "The model asked for a tool again and got the result from before",
    },
    detail: {
      es: `En su respuesta ${found.asked.reply.turn} el modelo volvió a pedir ${name} con ${input}. Esa vez no se ejecutó: le llegó lo que había devuelto en un turno anterior. El modelo pregunta de nuevo porque algo pudo cambiar, y ese dato quizá ya no sea cierto.`,
      en: `In its reply ${found.asked.reply.turn} the model asked again for ${name} with ${input}. This time it was not run: it got what the tool had returned in an earlier turn. The model asks anew because something may have changed, and that may no longer be true.`,
    },
    next: {
      es: "¿Qué parte de tu código guarda resultados, y cuánto tiempo los da por buenos?",
      en: "Which part of your code keeps results, and for how long does it take them to be good?",
    },
  };
}

export default diagnosis;
