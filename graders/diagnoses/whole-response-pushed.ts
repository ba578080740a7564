import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import { exchanges, rawMessages } from "./find/requests.ts";
import { assistantTurn, wholeReply } from "./point/messages.ts";
import { apiSaid, names, text } from "./words/words.ts";

/** What a response has and a message of the history must not. */
const RESPONSE_KEYS = ["id", "type", "model", "stop_reason", "stop_sequence", "usage"];

const diagnosis: Diagnosis = {
  id: "whole-response-pushed",
  rank: 320,
  weight: "fault",
  exercise: "2.3",
  explains: [
    "empty-message-pushed",
    "text-only-history",
    "missing-assistant-turn",
    "dropped-tool-result",
    "rejected-request-retried",
  ],
  detect(run) {
    for (const { request, reply } of exchanges(run.trace)) {
      for (const message of rawMessages(request)) {
        const nested = isRecord(message.content) && isResponse(message.content);
        if (!nested && !isResponse(message)) continue;
        const extra = names(
          RESPONSE_KEYS.filter((key) => Object.hasOwn(nested ? (message.content as object) : message, key)),
        );
        return {
          turn: request.turn,
          at: wholeReply(run.source) ?? request.at,
          headline: {
            es: "Metiste en el historial la respuesta entera, no su mensaje",
            en: "You put the whole response in the history, not its message",
          },
          detail: text([
            nested
              ? {
                  es: `El \`content\` de un mensaje lleva dentro la respuesta completa, con ${extra.es}. La API espera ahí solo los bloques.`,
                  en: `The \`content\` of a message holds the complete response, with ${extra.en}. The API expects only the blocks there.`,
                }
              : {
                  es: `Uno de los mensajes que enviaste lleva también ${extra.es}. Un mensaje del historial tiene \`role\` y \`content\`, y nada más.`,
                  en: `One of the messages you sent also carries ${extra.en}. A message of the history has \`role\` and \`content\`, and nothing else.`,
                },
            apiSaid(reply),
          ]),
          next: {
            es: "De todo lo que trae la respuesta, ¿qué parte es lo que el modelo dijo?",
            en: "Of all that the response brings, which part is what the model said?",
          },
        };
      }
    }
    return listInList(run);
  },
};

/** The list of a reply's blocks put into a list of its own. */
function listInList(run: Run): Finding | null {
  const found = exchanges(run.trace).find(({ request }) => rawMessages(request).some(holdsTurnInList));
  if (found === undefined) return null;
  return {
    turn: found.request.turn,
    at: assistantTurn(run.source) ?? found.request.at,
    headline: {
      es: "Metiste la lista de bloques de la respuesta dentro de otra lista",
      en: "You put the response's list of blocks inside another list",
    },
    detail: text([
      {
        es: "El `content` de un turno de `assistant` es una lista cuyo elemento es otra lista, la de los bloques. La API espera los bloques mismos, y así no encuentra ni el texto del modelo ni lo que pidió.",
        en: "The `content` of an `assistant` turn is a list whose element is another list, that of the blocks. The API expects the blocks themselves, and like this it finds neither the model's text nor what it asked for.",
      },
      apiSaid(found.reply),
    ]),
    next: {
      es: "`response.content` ya es una lista. ¿Qué le añaden los corchetes que la rodean?",
      en: "`response.content` is a list already. What do the brackets round it add?",
    },
  };
}

function holdsTurnInList({ role, content }: Record<string, unknown>): boolean {
  return role === "assistant" && Array.isArray(content) && content.some(Array.isArray);
}

function isResponse(value: Record<string, unknown>): boolean {
  return "stop_reason" in value || "usage" in value || (value.type === "message" && "id" in value);
}

export default diagnosis;
