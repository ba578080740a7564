import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent, Trace } from "../trace/events.ts";
import { askedBy, delivered, isDelivered, namesOf } from "./find/calls.ts";
import { exchanges, historyText } from "./find/requests.ts";
import { SAME_HISTORY } from "./limits/limits.ts";
import { count, names, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "restarted-conversation",
  rank: 210,
  weight: "fault",
  exercise: "2.3",
  explains: ["stopped-early", "preamble-as-answer", "tool-run-twice", "missing-assistant-turn", "tools-not-resent"],
  stops: (trace) => (mostResent(trace)?.resent.length ?? 0) >= SAME_HISTORY,
  detect(run) {
    const most = mostResent(run.trace);
    const last = delivered(run.trace).at(-1);
    // Asked once more and then finished: a retry, not a restart.
    if (most === null || (most.resent.length < 2 && last?.final)) return null;
    const again = most.resent[0]!;
    const messages = count(again.history.length, ["mensaje", "mensajes"], ["message", "messages"]);
    const asks = names(namesOf(most.calls));
    return {
      turn: again.turn,
      at: again.at,
      headline: {
        es: "Cada vuelta le manda al modelo la misma conversación, como si nada hubiera pasado",
        en: "Each pass sends the model the same conversation, as if nothing had happened",
      },
      detail: {
        es: `Después de recibir la respuesta, tu bucle envió ${times(most.resent.length).es} más exactamente el mismo historial (${messages.es}). El modelo no recuerda nada por su cuenta: volvió a pedir ${asks.es} porque en lo que recibió no estaban ni su respuesta ni los resultados.`,
        en: `After it had the reply, your loop sent exactly the same history (${messages.en}) ${times(most.resent.length).en} more. The model remembers nothing by itself: it asked for ${asks.en} again because what it got held neither its reply nor the results.`,
      },
      next: {
        es: "Imprime `messages` justo antes de cada llamada al modelo: ¿qué debería haber crecido entre una y otra?",
        en: "Print `messages` just before each call of the model: what should have grown between one and the next?",
      },
    };
  },
};

/** The history that was sent most often after a complete reply to it had asked for calls. */
function mostResent(trace: Trace): { resent: RequestEvent[]; calls: readonly { name: string }[] } | null {
  const answered = new Map<string, { seq: number; calls: readonly { name: string }[]; resent: RequestEvent[] }>();
  for (const { request, reply } of exchanges(trace)) {
    const history = historyText(request);
    const known = answered.get(history);
    if (known) {
      if (request.seq > known.seq) known.resent.push(request);
    } else if (reply !== null && isDelivered(reply) && reply.complete && askedBy(reply).length > 0) {
      answered.set(history, { seq: reply.seq, calls: askedBy(reply), resent: [] });
    }
  }
  const most = [...answered.values()].toSorted((a, b) => b.resent.length - a.resent.length)[0];
  return most && most.resent.length > 0 ? most : null;
}

export default diagnosis;
