import type { Diagnosis } from "../trace/diagnosis.ts";
import { isRecord } from "../trace/json.ts";
import { exchanges, rawMessages } from "./find/requests.ts";
import { wholeReply } from "./point/messages.ts";
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
    return null;
  },
};

function isResponse(value: Record<string, unknown>): boolean {
  return "stop_reason" in value || "usage" in value || (value.type === "message" && "id" in value);
}

export default diagnosis;
