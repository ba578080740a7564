import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import type { Text } from "../trace/text.ts";
import { type Asked, askedById } from "./find/calls.ts";
import { type Exchange, exchanges, rawBlocks, rawMessages } from "./find/requests.ts";
import { untypedResult } from "./point/messages.ts";
import { apiSaid, code, json, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "malformed-tool-result",
  rank: 395,
  weight: "fault",
  exercise: "2.4",
  explains: ["dropped-tool-result", "rejected-request-retried"],
  detect(run) {
    const found = malformed(run.trace);
    if (found === null) return null;
    return {
      turn: found.request.turn,
      at: untypedResult(run.source) ?? found.request.at,
      headline: {
        es: "Enviaste un resultado, pero no con la forma de un `tool_result`",
        en: "You sent a result, but not in the form of a `tool_result`",
      },
      detail: text([
        what(found),
        {
          es: ' Para la API eso no responde a la llamada: el modelo esperaba, en la lista `content` de un mensaje de `user`, un bloque con `type: "tool_result"`.',
          en: ' To the API that answers no call: the model was waiting for a block with `type: "tool_result"` in the list `content` of a `user` message.',
        },
        apiSaid(found.reply),
      ]),
      next: {
        es: "Imprime el mensaje con los resultados justo antes de enviarlo: ¿qué dice cada bloque que es, y dónde está guardado?",
        en: "Print the message with the results just before you send it: what does each block say it is, and where is it kept?",
      },
    };
  },
};

/** A result known by the id of its call. `loose`: it is the message's content itself, in no list. */
interface Malformed extends Exchange {
  asked: Asked;
  how: { is: "loose" } | { is: "typed"; type: unknown };
}

function what({ asked, how }: Malformed): Text {
  const call = `${code(asked.name)} (${code(asked.id)})`;
  if (how.is === "loose") {
    return {
      es: `El resultado de ${call} es él mismo el \`content\` del mensaje, y no un bloque de una lista.`,
      en: `The result of ${call} is itself the \`content\` of the message, not a block of a list.`,
    };
  }
  if (how.type === undefined) {
    return {
      es: `El resultado de ${call} va en un bloque sin \`type\`.`,
      en: `The result of ${call} is in a block without a \`type\`.`,
    };
  }
  return {
    es: `El resultado de ${call} va en un bloque cuyo \`type\` es ${json(how.type)}.`,
    en: `The result of ${call} is in a block whose \`type\` is ${json(how.type)}.`,
  };
}

/** The first thing that carries the id of a call as its \`tool_use_id\` and is no tool result. */
function malformed(trace: Trace): Malformed | null {
  for (const exchange of exchanges(trace)) {
    const asked = askedById(trace, exchange.request.seq);
    const ownerOf = ({ tool_use_id: id }: Record<string, unknown>) =>
      typeof id === "string" ? asked.get(id) : undefined;
    for (const message of rawMessages(exchange.request)) {
      const loose = isRecord(message.content) ? ownerOf(message.content) : undefined;
      if (loose) return { ...exchange, asked: loose, how: { is: "loose" } };
      for (const block of rawBlocks(message)) {
        const owner = block.type === "tool_result" ? undefined : ownerOf(block);
        if (owner) return { ...exchange, asked: owner, how: { is: "typed", type: block.type } };
      }
    }
  }
  return null;
}

export default diagnosis;
