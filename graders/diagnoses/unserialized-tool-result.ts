import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import { askedById } from "./find/calls.ts";
import { pairs } from "./find/pairing.ts";
import type { Exchange } from "./find/requests.ts";
import { isUnawaited } from "./find/unawaited.ts";
import { resultField } from "./point/messages.ts";
import { apiSaid, code, json, text } from "./words/words.ts";

/** Types of the blocks that a tool result may hold. */
const RESULT_BLOCKS = ["text", "image", "search_result", "document", "tool_reference", "browser_state"];

const diagnosis: Diagnosis = {
  id: "unserialized-tool-result",
  rank: 410,
  weight: "fault",
  exercise: "2.3",
  explains: ["rejected-request-retried"],
  detect(run) {
    const found = unserialized(run.trace);
    if (found === null) return null;
    const name = code(askedById(run.trace).get(found.id)?.name ?? found.id);
    // `String(value)` of an object: a text it is, but it says nothing.
    const lost = typeof found.content === "string";
    return {
      turn: found.request.turn,
      at: resultField(run.source, "content", false) ?? found.request.at,
      headline: lost
        ? {
            es: "El resultado de la herramienta se perdió al convertirlo en texto",
            en: "The tool's result was lost on being turned into text",
          }
        : {
            es: "El resultado de la herramienta salió como objeto, y el modelo solo lee texto",
            en: "The tool's result went out as an object, and the model reads only text",
          },
      detail: text([
        {
          es: `El \`tool_result\` de ${name} lleva en \`content\` ${json(found.content, 80)}. `,
          en: `The \`tool_result\` of ${name} has ${json(found.content, 80)} in its \`content\`. `,
        },
        lost
          ? {
              es: "La herramienta devolvió un objeto, y eso es lo que queda de un objeto convertido con `String` o concatenado. El modelo esperaba lo que hay dentro.",
              en: "The tool returned an object, and that is what is left of an object turned into text by `String` or by joining. The model was waiting for what is inside it.",
            }
          : {
              es: "El modelo esperaba un texto o una lista de bloques.",
              en: "The model was waiting for a text or a list of blocks.",
            },
        apiSaid(found.reply),
      ]),
      next: {
        es: "¿Cómo conviertes un valor cualquiera en un texto que no pierda nada de lo que dice?",
        en: "How do you turn any value into a text that loses nothing of what it says?",
      },
    };
  },
};

function unserialized(trace: Trace): (Exchange & { id: string; content: unknown }) | null {
  for (const { request, reply, results } of pairs(trace)) {
    if (isUnawaited(trace, request)) continue;
    const wrong = results.find((result) => isUnserialized(result.content));
    if (wrong) return { request, reply, id: wrong.tool_use_id, content: wrong.content };
  }
  return null;
}

function isUnserialized(content: unknown): boolean {
  if (content === undefined || content === null) return false;
  if (typeof content === "string") return content.includes("[object Object]");
  if (!Array.isArray(content)) return true;
  return content.some((block: unknown) => !isRecord(block) || !RESULT_BLOCKS.includes(String(block.type)));
}

export default diagnosis;
