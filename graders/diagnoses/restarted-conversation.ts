import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { askedBy, type Delivered, delivered, namesOf } from "./find/calls.ts";
import { type Exchange, exchanges, rawMessages } from "./find/requests.ts";
import { holdsAnything, mostBegun, mostResent, type Restart, sameTurn, saysResult, tookUp } from "./find/restarts.ts";
import { SAME_HISTORY, SAME_TURN } from "./limits/limits.ts";
import { discardedConcat } from "./point/history.ts";
import { recursiveCall } from "./point/patterns.ts";
import { apiSaid, count, names, text, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "restarted-conversation",
  rank: 210,
  weight: "fault",
  exercise: "2.3",
  explains: ["stopped-early", "preamble-as-answer", "tool-run-twice", "missing-assistant-turn", "tools-not-resent"],
  stops: (trace, scenario) =>
    (mostResent(trace)?.again.length ?? 0) >= SAME_HISTORY ||
    // The second is costly to read, and can only hold where the first does.
    (sameTurn(trace) >= SAME_TURN && (mostBegun(trace, scenario)?.again.length ?? 0) + 1 >= SAME_TURN),
  detect(run) {
    const resent = resentIn(run);
    const begun = resent === null ? begunIn(run) : null;
    const most = resent ?? begun;
    const first = most?.again[0];
    if (!most || first === undefined) return retoldIn(run);
    const asks = names(namesOf(most.calls));
    const messages = count(first.history.length, ["mensaje", "mensajes"], ["message", "messages"]);
    return {
      turn: first.turn,
      at: discardedConcat(run.source) ?? recursiveCall(run.source) ?? first.at,
      headline:
        resent !== null
          ? {
              es: "Cada vuelta le manda al modelo la misma conversación, como si nada hubiera pasado",
              en: "Each pass sends the model the same conversation, as if nothing had happened",
            }
          : BEGINS_ANEW,
      detail:
        resent !== null
          ? {
              es: `Después de recibir la respuesta, tu bucle envió ${times(most.again.length).es} más exactamente el mismo historial (${messages.es}). El modelo no recuerda nada por su cuenta: volvió a pedir ${asks.es} porque en ese historial no estaban ni su respuesta ni los resultados.`,
              en: `After it had the reply, your loop sent exactly the same history (${messages.en}) ${times(most.again.length).en} more. The model remembers nothing by itself: it asked for ${asks.en} again because that history held neither its reply nor the results.`,
            }
          : {
              es: `El modelo pidió ${asks.es}, y después tu bucle envió ${times(most.again.length).es} un historial sin nada de lo ocurrido: ni lo que el modelo había dicho, ni un resultado. El modelo no recuerda nada por su cuenta, y cada vez volvió a pedir lo mismo.`,
              en: `The model asked for ${asks.en}, and after that your loop sent ${times(most.again.length).en} a history with nothing of what had happened: neither what the model had said nor a result. The model remembers nothing by itself, and each time it asked for the same again.`,
            },
      next: WHAT_GROWS,
    };
  },
};

const BEGINS_ANEW: Text = {
  es: "Cada petición empieza una conversación desde cero",
  en: "Each request begins a conversation anew",
};

const WHAT_GROWS: Text = {
  es: "Imprime `messages` justo antes de cada llamada al modelo: ¿qué debería haber crecido entre una y otra?",
  en: "Print `messages` just before each call of the model: what should have grown between one and the next?",
};

/** Each request is a first one, with what the tools gave back written behind the question. */
function retoldIn(run: Run): Finding | null {
  const found = retold(run.trace);
  if (found === null) return null;
  const { request, reply } = found.exchange;
  const asks = names(namesOf(askedBy(found.asking)));
  const messages = count(request.history.length, ["mensaje", "mensajes"], ["message", "messages"]);
  return {
    turn: request.turn,
    at: recursiveCall(run.source) ?? request.at,
    headline: BEGINS_ANEW,
    detail: text([
      {
        es: `El modelo pidió ${asks.es}. La petición siguiente es otra vez una primera petición (${messages.es}): la pregunta, y lo que devolvió la herramienta escrito como si lo dijera el usuario. No están ni el turno del modelo ni un \`tool_result\`, así que para él nadie ha pedido nada todavía.`,
        en: `The model asked for ${asks.en}. The next request is once more a first one (${messages.en}): the question, and what the tool gave back written down as if the user said it. It holds neither the model's turn nor a \`tool_result\`, so as far as it can tell nobody has asked for anything yet.`,
      },
      apiSaid(reply),
    ]),
    next: WHAT_GROWS,
  };
}

/** The first request of a conversation that never grows: as many messages as the first had, all the user's, with a result in their text. */
function retold(trace: Trace): { exchange: Exchange; asking: Delivered } | null {
  const [first, ...later] = exchanges(trace);
  const size = first === undefined ? 0 : rawMessages(first.request).length;
  const isFirst = ({ request }: Exchange) =>
    rawMessages(request).length === size &&
    rawMessages(request).every(({ role, content }) => role === "user" && typeof content === "string");
  if (size === 0 || !later.every(isFirst)) return null;
  for (const exchange of later) {
    const asking = delivered(trace).findLast(({ seq }) => seq < exchange.request.seq);
    if (asking && askedBy(asking).length > 0 && saysResult(trace, exchange.request, asking.seq))
      return { exchange, asking };
  }
  return null;
}

/** The history that was sent over and over. */
function resentIn({ trace, kind }: Run): Restart | null {
  const most = mostResent(trace);
  if (most === null) return null;
  if (kind === diagnosis.id) return most.again.length >= SAME_HISTORY ? most : null;
  // Asked once more and then finished: a retry, not a restart.
  return isRetry(trace, most) || tookUp(trace, most) ? null : most;
}

/** A run whose every request is a first one, whatever its words. */
function begunIn({ trace, scenario, kind }: Run): Restart | null {
  const most = mostBegun(trace, scenario);
  if (most === null || kind === diagnosis.id) return most;
  if (isRetry(trace, most) || exchanges(trace).some(({ request }) => holdsAnything(trace, scenario, request)))
    return null;
  return most;
}

function isRetry(trace: Trace, { again }: Restart): boolean {
  return again.length < 2 && delivered(trace).at(-1)?.final === true;
}

export default diagnosis;
