import { type Block, isToolResult, isToolUse } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Text } from "../trace/text.ts";
import { type Exchange, exchanges, rawMessages } from "./find/requests.ts";
import { wrongRole } from "./point/messages.ts";
import { apiSaid, code, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "wrong-role",
  rank: 330,
  weight: "fault",
  exercise: "2.5",
  explains: [
    "dropped-tool-result",
    "missing-assistant-turn",
    "text-only-history",
    "duplicate-tool-result",
    "split-tool-results",
    "rejected-request-retried",
  ],
  detect(run) {
    for (const exchange of exchanges(run.trace)) {
      const wrong = wrongIn(exchange);
      if (wrong === null) continue;
      return {
        turn: exchange.request.turn,
        at: wrongRole(run.source) ?? exchange.request.at,
        headline: wrong === NO_ROLE ? ROLELESS : OTHERS_ROLE,
        detail: text([wrong, apiSaid(exchange.reply)]),
        next: {
          es: "En esta API solo hablan dos: ¿cuál de los dos le entrega al modelo lo que hizo la herramienta?",
          en: "Only two speak in this API: which of them hands the model what the tool did?",
        },
      };
    }
    return null;
  },
};

const OTHERS_ROLE: Text = {
  es: "Un mensaje del historial lleva el rol de otro",
  en: "A message of the history carries someone else's role",
};
const ROLELESS: Text = {
  es: "Un mensaje del historial no dice quién habla",
  en: "A message of the history does not say who speaks",
};
const NO_ROLE: Text = {
  es: "Enviaste un mensaje con `content` y sin `role`. Cada mensaje dice quién habla: `user` o `assistant`; de uno que no lo dice, la API no puede saber a qué turno pertenece.",
  en: "You sent a message with `content` and without `role`. Each message says who speaks: `user` or `assistant`; of one that does not, the API cannot tell which turn it belongs to.",
};

function wrongIn({ request }: Exchange): Text | null {
  // `system` is left alone: some models take it.
  const role = rawMessages(request)
    .map((message) => message.role)
    .find((role) => typeof role === "string" && !["user", "assistant", "system"].includes(role));
  if (typeof role === "string") {
    return {
      es: `Enviaste un mensaje con \`role: "${role.slice(0, 20)}"\`. La API de mensajes solo conoce \`user\` y \`assistant\`; los resultados de las herramientas son bloques ${code("tool_result")} de un mensaje de \`user\`.`,
      en: `You sent a message with \`role: "${role.slice(0, 20)}"\`. The messages API knows only \`user\` and \`assistant\`; results of tools are ${code("tool_result")} blocks in a \`user\` message.`,
    };
  }
  if (rawMessages(request).some(isRoleless)) return NO_ROLE;
  if (request.history.some(({ role, content }) => role === "assistant" && content.some(isToolResult))) {
    return {
      es: "Enviaste un `tool_result` en un mensaje de `assistant`. El resultado no lo dice el modelo: se lo dices tú a él.",
      en: "You sent a `tool_result` in an `assistant` message. The model does not say the result: you say it to the model.",
    };
  }
  if (request.history.some(({ role, content }) => role === "user" && content.some(isCall))) {
    return {
      es: "Enviaste un `tool_use` en un mensaje de `user`. Quien pide herramientas es el modelo: ese bloque es parte de su turno.",
      en: "You sent a `tool_use` in a `user` message. It is the model who asks for tools: that block is part of its turn.",
    };
  }
  return null;
}

/** A result that says it is a call is another mistake. */
function isCall(block: Block): boolean {
  return isToolUse(block) && !("tool_use_id" in block);
}

/** What has a `type` is a block, or a whole response, and in the wrong place for another reason. */
function isRoleless(message: Record<string, unknown>): boolean {
  return typeof message.role !== "string" && message.content !== undefined && message.type === undefined;
}

export default diagnosis;
