import { isToolUse } from "../trace/api.ts";
import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { type Asked, askedById, type Delivered, namesOf } from "./find/calls.ts";
import { type Exchange, exchanges, rawBlocks, rawMessages } from "./find/requests.ts";
import { assistantTurn, resultsMessage } from "./point/messages.ts";
import { names } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "split-tool-results",
  rank: 430,
  weight: "fault",
  exercise: "2.4",
  explains: ["dropped-thinking"],
  detect(run) {
    const found = split(run.trace);
    if (found !== null) return spread(run, found);
    const turns = splitTurn(run.trace);
    return turns === null ? null : inPieces(run, turns);
  },
};

type Split = Exchange & { calls: Asked[] };

const NEXT: Text = {
  es: "¿Cuántas veces por turno haces `push`: una por turno o una por herramienta?",
  en: "How many times per turn do you `push`: once per turn or once per tool?",
};

function spread(run: Run, { request, calls }: Split): Finding {
  const which = names(namesOf(calls));
  return {
    turn: request.turn,
    at: resultsMessage(run.source) ?? request.at,
    headline: {
      es: "Repartiste los resultados de un mismo turno en varios mensajes",
      en: "You spread the results of one turn over several messages",
    },
    detail: {
      es: `El modelo pidió ${which.es} en un solo turno, y tú enviaste ${calls.length} mensajes de \`user\` seguidos, con los resultados repartidos. La documentación pide todos en un único mensaje: un historial así le enseña al modelo a pedir las herramientas de una en una.`,
      en: `The model asked for ${which.en} in a single turn, and you sent ${calls.length} \`user\` messages in a row with the results spread over them. The documentation asks for all of them in one message: a history like this teaches the model to ask for one tool at a time.`,
    },
    next: NEXT,
  };
}

function inPieces(run: Run, { request, calls }: Split): Finding {
  const which = names(namesOf(calls));
  return {
    turn: request.turn,
    at: assistantTurn(run.source) ?? resultsMessage(run.source) ?? request.at,
    headline: {
      es: "Partiste en varios un turno del modelo que pedía varias herramientas",
      en: "You broke one turn of the model's that asked for several tools into several turns",
    },
    detail: {
      es: `El modelo pidió ${which.es} en un solo turno. En el historial que enviaste hay ${calls.length} turnos de \`assistant\` en su lugar, cada uno con lo suyo y su resultado detrás. El modelo espera su turno entero y, después, todos los resultados en un único mensaje: un historial así le enseña a pedir las herramientas de una en una.`,
      en: `The model asked for ${which.en} in a single turn. The history you sent holds ${calls.length} \`assistant\` turns in its place, each with a part and the result of that after it. The model expects its turn whole and then all the results in one message: a history like this teaches it to ask for one tool at a time.`,
    },
    next: NEXT,
  };
}

/** Adjacent user messages, as sent, that each hold a result of one and the same reply; one call for each message. */
function split(trace: Trace): Split | null {
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

/** Turns of the assistant's that each hold other calls of one and the same reply, each with its results after it; one call for each turn. */
function splitTurn(trace: Trace): Split | null {
  for (const exchange of exchanges(trace)) {
    const asked = askedById(trace, exchange.request.seq);
    const byReply = new Map<Delivered, Asked[][]>();
    for (const { role, content } of exchange.request.history) {
      if (role !== "assistant") continue;
      const calls = content.filter(isToolUse).flatMap(({ id }) => asked.get(id) ?? []);
      const [first] = calls;
      if (first !== undefined) byReply.set(first.reply, [...(byReply.get(first.reply) ?? []), calls]);
    }
    for (const turns of byReply.values()) {
      const all = turns.flat();
      // A call that stands in two turns was copied: that is another mistake.
      if (turns.length > 1 && new Set(all).size === all.length)
        return { ...exchange, calls: turns.flatMap((calls) => calls[0] ?? []) };
    }
  }
  return null;
}

export default diagnosis;
