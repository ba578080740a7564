import type { Diagnosis } from "../trace/diagnosis.ts";
import { flaggedWell } from "./find/flagged-well.ts";
import { contentText } from "./find/requests.ts";
import { flagOfResult } from "./point/messages.ts";
import { code, cut } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "result-flagged-as-error",
  rank: 905,
  weight: "advice",
  exercise: "5.2",
  detect(run) {
    const [found] = flaggedWell(run.trace);
    if (found === undefined) return null;
    const [name, said] = [code(found.asked.name), cut(contentText(found.result.content), 80)];
    return {
      turn: found.request.turn,
      at: flagOfResult(run.source) ?? found.request.at,
      headline: {
        es: "Una herramienta salió bien y al modelo le llegó como un error",
        en: "A tool went well and reached the model as an error",
      },
      detail: {
        es: `${name} devolvió su resultado, y el \`tool_result\` que lo lleva («${said}») dice \`is_error: true\`. La API lo acepta, pero el modelo lee ahí un fallo: puede repetir la llamada, o contarle al usuario que no se pudo.`,
        en: `${name} gave its result, and the \`tool_result\` that carries it ("${said}") says \`is_error: true\`. The API accepts it, but the model reads a failure there: it may make the call again, or tell the user that it could not be done.`,
      },
      next: {
        es: "¿En qué caso debe llevar `is_error` un `tool_result`, y en cuáles lo pone tu código?",
        en: "In which case should a `tool_result` carry `is_error`, and in which ones does your code set it?",
      },
    };
  },
};

export default diagnosis;
