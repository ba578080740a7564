import type { Diagnosis } from "../trace/diagnosis.ts";
import { isRecord } from "../trace/json.ts";
import { isNothing } from "./find/answer.ts";
import { askedById } from "./find/calls.ts";
import { pairs } from "./find/pairing.ts";
import { resultField } from "./point/messages.ts";
import { apiSaid, code, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "empty-error-result",
  rank: 440,
  weight: "fault",
  exercise: "2.6",
  explains: ["rejected-request-retried"],
  detect(run) {
    for (const { request, reply, results } of pairs(run.trace)) {
      const empty = results.find((result) => result.is_error === true && saysNothing(result.content));
      if (empty === undefined) continue;
      const name = code(askedById(run.trace).get(empty.tool_use_id)?.name ?? empty.tool_use_id);
      return {
        turn: request.turn,
        at: resultField(run.source, "content", true) ?? request.at,
        headline: {
          es: "Marcaste un error sin decir cuál fue",
          en: "You flagged an error without saying which",
        },
        detail: text([
          {
            es: `El \`tool_result\` de ${name} lleva \`is_error: true\` y ningún texto. El modelo esperaba saber qué pasó para decidir si reintenta, cambia el input o se rinde.`,
            en: `The \`tool_result\` of ${name} carries \`is_error: true\` and no text. The model was waiting to learn what happened, to decide whether to try again, change the input or give up.`,
          },
          apiSaid(reply),
        ]),
        next: {
          es: "¿Qué texto podría leer ahí el modelo para saber qué hacer ahora?",
          en: "Which text could the model read there, to know what to do now?",
        },
      };
    }
    return null;
  },
};

function saysNothing(content: unknown): boolean {
  if (!Array.isArray(content)) return isNothing(content);
  return content.every((block: unknown) => isRecord(block) && block.type === "text" && isNothing(block.text));
}

export default diagnosis;
