import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Spot, Trace } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import type { Source } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { type Asked, askedById } from "./find/calls.ts";
import { pairs } from "./find/pairing.ts";
import { type Exchange, exchanges, rawMessages } from "./find/requests.ts";
import { isUnawaited } from "./find/unawaited.ts";
import { resultsAsMessages, resultsMessage, untypedResult } from "./point/messages.ts";
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
      at: WHERE[found.how.is](run.source) ?? found.request.at,
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
      next:
        found.how.is === "hollow"
          ? AWAITED_WHERE
          : {
              es: "Imprime el mensaje con los resultados justo antes de enviarlo: ¿qué dice cada bloque que es, y dónde está guardado?",
              en: "Print the message with the results just before you send it: what does each block say it is, and where is it kept?",
            },
    };
  },
};

const AWAITED_WHERE: Text = {
  es: "Imprime el `content` de ese mensaje justo antes de enviarlo: ¿es ya una lista, o algo que todavía hay que esperar?",
  en: "Print the `content` of that message just before you send it: is it a list already, or something still to be waited for?",
};

/**
 * A result known by the id of its call. `loose`: it is the message's content itself, in no list. `message`: it is itself a message.
 * `nested`: it is in a list within the list. `hollow`: where the results should be there is an object with nothing in it.
 */
interface Malformed extends Exchange {
  asked: Asked;
  how: { is: "loose" | "message" | "nested" | "hollow"; type?: never } | { is: "typed"; type: unknown };
}

const WHERE: Record<Malformed["how"]["is"], (source: Source) => Spot | null> = {
  typed: untypedResult,
  loose: resultsMessage,
  message: resultsAsMessages,
  nested: resultsMessage,
  hollow: resultsMessage,
};

function what({ asked, how }: Malformed): Text {
  const call = `${code(asked.name)} (${code(asked.id)})`;
  if (how.is === "loose") {
    return {
      es: `El resultado de ${call} es él mismo el \`content\` del mensaje, y no un bloque de una lista.`,
      en: `The result of ${call} is itself the \`content\` of the message, not a block of a list.`,
    };
  }
  if (how.is === "message") {
    return {
      es: `El resultado de ${call} está suelto entre los mensajes: ocupa el lugar de uno, sin \`role\` y fuera de todo \`content\`.`,
      en: `The result of ${call} stands loose among the messages: it takes the place of one, without a \`role\` and in no \`content\`.`,
    };
  }
  if (how.is === "nested") {
    return {
      es: `El resultado de ${call} está en una lista que va dentro de la lista \`content\`.`,
      en: `The result of ${call} is in a list inside the list \`content\`.`,
    };
  }
  if (how.is === "hollow") {
    return {
      es: `Donde debía ir la lista con el resultado de ${call}, el \`content\` del mensaje es \`{}\`: lo que queda en JSON de una promesa sin \`await\`, o de un \`Map\`.`,
      en: `Where the list with the result of ${call} should be, the message's \`content\` is \`{}\`: what is left in JSON of a promise without \`await\`, or of a \`Map\`.`,
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

/** The first thing that carries the id of a call as its `tool_use_id` and is no tool result, or an empty object where results should be. */
function malformed(trace: Trace): Malformed | null {
  for (const exchange of exchanges(trace)) {
    const asked = askedById(trace, exchange.request.seq);
    const ownerOf = (value: unknown) => {
      const id = isRecord(value) ? value.tool_use_id : undefined;
      return typeof id === "string" ? asked.get(id) : undefined;
    };
    for (const message of rawMessages(exchange.request)) {
      const alone = ownerOf(message);
      if (alone) return { ...exchange, asked: alone, how: { is: "message" } };
      const loose = ownerOf(message.content);
      if (loose) return { ...exchange, asked: loose, how: { is: "loose" } };
      for (const item of Array.isArray(message.content) ? message.content : []) {
        const nested = Array.isArray(item) ? item.map(ownerOf).find((owner) => owner !== undefined) : undefined;
        if (nested) return { ...exchange, asked: nested, how: { is: "nested" } };
        const owner = isRecord(item) && item.type !== "tool_result" ? ownerOf(item) : undefined;
        if (owner) return { ...exchange, asked: owner, how: { is: "typed", type: item.type } };
      }
    }
    const open = pairs(trace).find(({ request, missing }) => request === exchange.request && missing.length > 0);
    const first = asked.get(open?.missing[0]?.id ?? "");
    if (first && !isUnawaited(trace, exchange.request) && rawMessages(exchange.request).some(isHollow))
      return { ...exchange, asked: first, how: { is: "hollow" } };
  }
  return null;
}

/** Whether the whole content of a user's message is an object with nothing in it. */
function isHollow({ role, content }: Record<string, unknown>): boolean {
  return role === "user" && isRecord(content) && Object.keys(content).length === 0;
}

export default diagnosis;
