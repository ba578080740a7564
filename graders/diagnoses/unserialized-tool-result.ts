import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import { runsFor } from "./find/alike.ts";
import { type Asked, askedById } from "./find/calls.ts";
import { toJson } from "./find/json.ts";
import { pairs } from "./find/pairing.ts";
import { contentText, type Exchange } from "./find/requests.ts";
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
    const { lost } = found;
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
              es: "Eso es lo que queda de un objeto convertido con `String` o concatenado. El modelo esperaba lo que hay dentro.",
              en: "That is what is left of an object turned into text by `String` or by joining. The model was waiting for what is inside it.",
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

/** A result that is no text. `lost`: it is one, but of an object that was turned into it, and says nothing. */
interface Unserialized extends Exchange {
  id: string;
  content: unknown;
  lost: boolean;
}

function unserialized(trace: Trace): Unserialized | null {
  for (const { request, reply, results } of pairs(trace)) {
    if (isUnawaited(trace, request)) continue;
    const asked = askedById(trace, request.seq);
    for (const { tool_use_id: id, content } of results) {
      const lost = isLost(trace, asked.get(id), contentText(content));
      if (lost || isNoText(content)) return { request, reply, id, content, lost };
    }
  }
  return null;
}

function isNoText(content: unknown): boolean {
  if (content === undefined || content === null || typeof content === "string") return false;
  if (!Array.isArray(content)) return true;
  return content.some((block: unknown) => !isRecord(block) || !RESULT_BLOCKS.includes(String(block.type)));
}

/** What an object turns into as text. */
const OBJECT = "[object Object]";

/** Whether a text is what is left of an object: not where the tool itself said so, nor where an error quotes it. */
function isLost(trace: Trace, asked: Asked | undefined, said: string): boolean {
  if (!said.includes(OBJECT)) return false;
  const outcomes = asked === undefined ? [] : runsFor(trace, asked).flatMap(({ result }) => result?.outcome ?? []);
  const values = outcomes.flatMap((outcome) => (outcome.kind === "value" ? [outcome.value] : []));
  // Where nobody watches the tools, what arrived is all that is known of what they gave.
  const watched = outcomes.some((outcome) => outcome.kind === "error" || (outcome.kind === "value" && outcome.nonce));
  if (watched && toJson(outcomes).includes(OBJECT)) return false;
  return values.some((value) => typeof value === "object") || !said.includes(`"${OBJECT}"`);
}

export default diagnosis;
