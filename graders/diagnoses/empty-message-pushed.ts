import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import { askedBy, delivered } from "./find/calls.ts";
import { type Exchange, exchanges, hasBareTurn, rawMessages } from "./find/requests.ts";
import { apiSaid, code, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "empty-message-pushed",
  rank: 450,
  weight: "fault",
  exercise: "3.6",
  explains: ["rejected-request-retried"],
  detect(run) {
    const found = emptyMessage(run.trace);
    if (found === null) return null;
    const { request, reply, role, bare } = found;
    const last = delivered(run.trace).findLast(({ seq }) => seq < request.seq);
    const reason = last ? code(String(last.message.stop_reason)) : null;
    return {
      turn: request.turn,
      at: request.at,
      headline: {
        es: "Enviaste un mensaje vacío",
        en: "You sent an empty message",
      },
      detail: text([
        bare
          ? {
              es: "Un mensaje de `assistant` no lleva `content`: lo que dijo el modelo, y lo que pidió, no volvió a él.",
              en: "An `assistant` message has no `content`: what the model said, and what it asked for, did not go back to it.",
            }
          : role === "assistant"
            ? {
                es: "El modelo cerró su turno sin decir nada, y ese turno vacío volvió a él como parte del historial.",
                en: "The model closed its turn without a word, and that empty turn went back to it as part of the history.",
              }
            : {
                es: `Un mensaje de \`user\` no lleva nada en \`content\`.${reason ? ` La respuesta anterior llegó con \`stop_reason\` ${reason} y no pedía herramientas: no había resultados que enviar.` : ""}`,
                en: `A \`user\` message has nothing in its \`content\`.${reason ? ` The reply before it came with \`stop_reason\` ${reason} and asked for no tools: there were no results to send.` : ""}`,
              },
        apiSaid(reply),
      ]),
      next: bare
        ? {
            es: "¿Qué campos pones en el mensaje que guarda el turno del modelo, y cuál de ellos lleva sus bloques?",
            en: "Which fields do you put in the message that keeps the model's turn, and which of them holds its blocks?",
          }
        : role === "assistant"
          ? {
              es: "¿Qué debería hacer tu bucle con una respuesta que termina y no trae ningún bloque?",
              en: "What should your loop do with a reply that ends and brings no block?",
            }
          : {
              es: "¿Con qué respuestas llega tu bucle a enviar resultados, y cuáles de ellas los piden?",
              en: "On which replies does your loop get to send results, and which of them ask for any?",
            },
    };
  },
};

/** `bare`: a turn of the model's without any `content`. */
interface Empty extends Exchange {
  role: "user" | "assistant";
  bare: boolean;
}

/** A message without content in a request that was rejected; not one that lost the calls of the model's last turn, or their results. */
function emptyMessage(trace: Trace): Empty | null {
  for (const exchange of exchanges(trace)) {
    if (exchange.reply?.kind !== "rejection") continue;
    if (hasBareTurn(exchange.request)) return { ...exchange, role: "assistant", bare: true };
    const messages = rawMessages(exchange.request);
    const empty = messages.find((message) => isEmpty(message.content));
    if (empty === undefined || (empty.role !== "user" && empty.role !== "assistant")) continue;
    const last = delivered(trace).findLast(({ seq }) => seq < exchange.request.seq);
    if (last && askedBy(last).length > 0) continue;
    return { ...exchange, role: empty.role, bare: false };
  }
  return null;
}

function isEmpty(content: unknown): boolean {
  if (content === undefined || content === null) return true;
  if (typeof content === "string") return content.trim() === "";
  if (!Array.isArray(content)) return false;
  return content.every(
    (block: unknown) => isRecord(block) && block.type === "text" && String(block.text ?? "").trim() === "",
  );
}

export default diagnosis;
