import type { Diagnosis } from "../trace/diagnosis.ts";
import { answeredWithoutRunning } from "./find/not-run.ts";
import { blockText } from "./find/requests.ts";
import { code, cut } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "tool-not-run",
  rank: 510,
  weight: "fault",
  exercise: "2.4",
  detect(run) {
    // A host that turns a call down says so by `is_error`.
    const found = answeredWithoutRunning(run).find(({ result }) => result.is_error !== true);
    if (found === undefined) return null;
    const said = cut(blockText(found.result), 80);
    return {
      turn: found.request.turn,
      at: found.request.at,
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

export default diagnosis;
