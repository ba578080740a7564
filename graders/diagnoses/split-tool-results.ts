import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import { type Asked, askedById, namesOf } from "./find/calls.ts";
import { type Exchange, exchanges, rawBlocks, rawMessages } from "./find/requests.ts";
import { resultsMessage } from "./point/messages.ts";
import { names } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "split-tool-results",
  rank: 430,
  weight: "fault",
  exercise: "2.4",
  detect(run) {
    const found = split(run.trace);
    if (found === null) return null;
    const which = names(namesOf(found.calls));
    return {
      turn: found.request.turn,
      at: resultsMessage(run.source) ?? found.request.at,
      headline: {
        es: "Repartiste los resultados de un mismo turno en varios mensajes",
        en: "You spread the results of one turn over several messages",
      },
      detail: {
        es: `El modelo pidió ${which.es} en un solo turno, y tú enviaste ${found.calls.length} mensajes de \`user\` seguidos, con los resultados repartidos. La documentación pide todos en un único mensaje: un historial así le enseña al modelo a pedir las herramientas de una en una.`,
        en: `The model asked for ${which.en} in a single turn, and you sent ${found.calls.length} \`user\` messages in a row with the results spread over them. The documentation asks for all of them in one message: a history like this teaches the model to ask for one tool at a time.`,
      },
      next: {
        es: "¿Cuántas veces por turno haces `push`: una por turno o una por herramienta?",
        en: "How many times per turn do you `push`: once per turn or once per tool?",
      },
    };
  },
};

/** Adjacent user messages, as sent, that each hold a result of one and the same reply; one call for each message. */
function split(trace: Trace): (Exchange & { calls: Asked[] }) | null {
  for (const exchange of exchanges(trace)) {
    const asked = askedById(trace, exchange.request.seq);
    const messages = rawMessages(exchange.request).map((message) => {
      const ids = message.role === "user" ? rawBlocks(message).filter(({ type }) => type === "tool_result") : [];
      return ids.map((block) => asked.get(String(block.tool_use_id))).find((call) => call !== undefined) ?? null;
    });
    for (const [index, call] of messages.entries()) {
      if (call === null || messages[index + 1]?.reply !== call.reply) continue;
      const rest = messages.slice(index);
      const end = rest.findIndex((other) => other?.reply !== call.reply);
      const calls = rest.slice(0, end === -1 ? undefined : end).filter((other) => other !== null);
      // One call answered twice is another mistake.
      if (new Set(calls).size > 1) return { ...exchange, calls };
    }
  }
  return null;
}

export default diagnosis;
