import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { mentions } from "./find/answer.ts";
import { delivered, isEnd } from "./find/calls.ts";
import { type Exchange, exchanges, historyText } from "./find/requests.ts";
import { nonces } from "./find/script.ts";
import { AFTER_END } from "./limits/limits.ts";
import { isPassedOnce } from "./point/patterns.ts";
import { apiSaid, code, count, text, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "kept-going-after-end",
  rank: 230,
  weight: "fault",
  exercise: "2.3",
  explains: [
    "empty-message-pushed",
    "rejected-request-retried",
    "answer-not-returned",
    "retry-storm",
    "dropped-tool-result",
  ],
  stops: (trace) => finals(trace) >= AFTER_END,
  detect(run) {
    const after = afterEnd(run);
    const first = after[0];
    if (first === undefined && run.kind !== diagnosis.id) return null;
    const last = delivered(run.trace).findLast(({ final }) => final);
    if (last === undefined) return null;
    const reason = code(String(last.message.stop_reason));
    const more = Math.max(after.length, run.kind === diagnosis.id ? finals(run.trace) - 1 : 0);
    const repeats = sameAtOnce(run, after);
    if (repeats !== null) {
      return {
        turn: last.turn,
        at: repeats.request.at,
        headline: {
          es: "La petición que trajo la respuesta final salió más de una vez",
          en: "The request that brought the final answer went out more than once",
        },
        detail: {
          es: `Esa petición salió ${times(after.length + 1).es} con exactamente el mismo historial, y cada una trajo la respuesta final, con \`stop_reason\` ${reason}. Esa respuesta no pide ninguna herramienta ni espera nada más: con una petición bastaba.`,
          en: `That request went out ${times(after.length + 1).en} with exactly the same history, and each one brought the final answer, with \`stop_reason\` ${reason}. That answer asks for no tool and waits for nothing more: one request was enough.`,
        },
        next: {
          es: "¿Qué líneas, o qué vuelta de más, envían esa petición, y cuántas de sus respuestas usa tu código?",
          en: "Which lines, or which pass too many, send that request, and how many of its answers does your code use?",
        },
      };
    }
    const at = first?.request.at ?? null;
    const once = at !== null && isPassedOnce(run.source, at);
    const requests = count(more, ["petición más", "peticiones más"], ["more request", "more requests"]);
    return {
      turn: first?.request.turn ?? last.turn,
      at,
      headline: once
        ? {
            es: "El modelo ya había terminado y tu código lo llamó otra vez",
            en: "The model had finished and your code called it once more",
          }
        : {
            es: "El modelo ya había terminado y tu bucle siguió llamándolo",
            en: "The model had finished and your loop kept calling it",
          },
      detail: text([
        {
          es: `La última respuesta llegó con \`stop_reason\` ${reason}: no pedía ninguna herramienta y no esperaba nada más. Tu ${once ? "código" : "bucle"} envió ${requests.es}.`,
          en: `The last reply came with \`stop_reason\` ${reason}: it asked for no tool and waited for nothing more. Your ${once ? "code" : "loop"} sent ${requests.en}.`,
        },
        apiSaid(first?.reply ?? null),
      ]),
      next: once
        ? OUTSIDE
        : {
            es: `¿Qué hace la condición de tu bucle con una respuesta cuyo \`stop_reason\` es ${reason}?`,
            en: `What does your loop's condition do with a reply whose \`stop_reason\` is ${reason}?`,
          },
    };
  },
};

const OUTSIDE: Text = {
  es: "Esa llamada no está en ningún bucle. ¿Qué respuesta tienes ya al llegar a esa línea, y qué le queda por decir al modelo?",
  en: "That call is in no loop. Which reply do you have by the time you reach that line, and what is left for the model to say?",
};

function finals(trace: Trace): number {
  return delivered(trace).filter(({ final }) => final).length;
}

/**
 * The first of the requests after the end when all of them are the very one that was answered by it, with nothing between:
 * they may have been sent at once, before there was an end to read. Null otherwise.
 */
function sameAtOnce({ trace }: Run, after: readonly Exchange[]): Exchange | null {
  const end = delivered(trace).find(isEnd);
  const ended = exchanges(trace).find(({ request }) => request.seq === end?.request)?.request;
  const last = after.at(-1)?.request;
  if (ended === undefined || last === undefined) return null;
  const between = trace.filter(({ seq }) => seq > ended.seq && seq < last.seq);
  const same = after.every(({ request, reply }) => historyText(request) === historyText(ended) && isFinal(reply));
  return same && between.every(({ type }) => type === "request" || type === "reply") ? (after[0] ?? null) : null;
}

function isFinal(reply: Exchange["reply"]): boolean {
  return reply?.kind === "message" && reply.final;
}

/** Requests that go on with a conversation after its end: they hold the last reply, or send again what it answered. */
function afterEnd({ trace, scenario }: Run): Exchange[] {
  const all = exchanges(trace);
  const end = delivered(trace).find(isEnd);
  const ended = all.find(({ request }) => request.seq === end?.request)?.request;
  if (end === undefined || ended === undefined) return [];
  const marks = nonces(scenario, end).text;
  return all.filter(({ request }) => {
    if (request.seq < end.seq) return false;
    if (historyText(request) === historyText(ended)) return true;
    if (marks.length > 0) return mentions(request.history, marks);
    return request.history.length >= ended.history.length;
  });
}

export default diagnosis;
