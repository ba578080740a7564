import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import { delivered, namesOf } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { holdsAnything, mostBegun, mostResent, type Restart, sameTurn, tookUp } from "./find/restarts.ts";
import { SAME_HISTORY, SAME_TURN } from "./limits/limits.ts";
import { count, names, times } from "./words/words.ts";

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
    if (!most || first === undefined) return null;
    const asks = names(namesOf(most.calls));
    const messages = count(first.history.length, ["mensaje", "mensajes"], ["message", "messages"]);
    return {
      turn: first.turn,
      at: first.at,
      headline:
        resent !== null
          ? {
              es: "Cada vuelta le manda al modelo la misma conversación, como si nada hubiera pasado",
              en: "Each pass sends the model the same conversation, as if nothing had happened",
            }
          : {
              es: "Cada petición empieza una conversación desde cero",
              en: "Each request begins a conversation anew",
            },
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
      next: {
        es: "Imprime `messages` justo antes de cada llamada al modelo: ¿qué debería haber crecido entre una y otra?",
        en: "Print `messages` just before each call of the model: what should have grown between one and the next?",
      },
    };
  },
};

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
