import { isToolUse } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent, Trace } from "../trace/events.ts";
import { askedBy, type Delivered, delivered, namesOf, ran } from "./find/calls.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { pushedTwice } from "./find/surplus.ts";
import { catchOfModel } from "./point/swallowed.ts";
import { apiSaid, code, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "fault-swallowed",
  rank: 196,
  weight: "fault",
  exercise: "5.4",
  explains: [
    "missing-reassignment",
    "tool-run-twice",
    "rewritten-history",
    "duplicate-tool-result",
    "turns-out-of-order",
    "rejected-request-retried",
    "stopped-early",
    "preamble-as-answer",
  ],
  detect(run) {
    const found = swallowed(run.trace);
    if (found === null) return null;
    const { request, reply } = found.exchange;
    const status = code(reply?.status);
    const tools = names([...new Set(namesOf(askedBy(found.old)))]);
    return {
      turn: request.turn,
      at: catchOfModel(run.source, request.at) ?? request.at,
      headline: {
        es: "Una petición falló y tu bucle siguió con la respuesta anterior",
        en: "A request failed and your loop went on with the reply before it",
      },
      detail: text([
        {
          es: `Una petición terminó en un error (${status}) y el modelo no contestó nada. Tu código se quedó con ese error, y tu bucle dio otra vuelta con la respuesta de antes: `,
          en: `A request ended in an error (${status}) and the model answered nothing. Your code kept that error to itself, and your loop made another pass with the reply from before: `,
        },
        found.how === "run"
          ? {
              es: `volvió a ejecutar lo que ya había ejecutado, ${tools.es}.`,
              en: `it ran once more what it had run, ${tools.en}.`,
            }
          : {
              es: `volvió a poner en el historial el turno que pedía ${tools.es}.`,
              en: `it put the turn that asked for ${tools.en} into the history once more.`,
            },
        apiSaid(reply),
      ]),
      next: {
        es: "¿Qué `catch` se queda con ese error, y qué guarda la variable de la respuesta cuando el bucle sigue?",
        en: "Which `catch` keeps that error, and what does the variable of the reply hold when the loop goes on?",
      },
    };
  },
};

interface Swallowed {
  exchange: Exchange;
  /** The reply that was acted on once more. */
  old: Delivered;
  how: "run" | "pushed";
}

/**
 * The first request that failed through no fault of its own and after which the loop acted on the reply before once more,
 * though it had done so already. Sending the same request again is no such thing: that is how an error is retried.
 */
function swallowed(trace: Trace): Swallowed | null {
  for (const exchange of exchanges(trace)) {
    const { request, reply } = exchange;
    if (reply?.kind !== "fault") continue;
    const old = delivered(trace).findLast(({ seq }) => seq < request.seq);
    if (old === undefined) continue;
    const until = delivered(trace).find(({ seq }) => seq > reply.seq)?.seq ?? Number.POSITIVE_INFINITY;
    if (ranAgain(trace, old, reply.seq, until)) return { exchange, old, how: "run" };
    const later = exchanges(trace).filter((other) => other.request.seq > reply.seq && other.request.seq < until);
    if (!holdsTwice(request, old) && later.some((other) => holdsTwice(other.request, old)))
      return { exchange, old, how: "pushed" };
  }
  return null;
}

/** Whether calls of a reply that had all been run well were run between two points of a run. */
function ranAgain(trace: Trace, old: Delivered, from: number, until: number): boolean {
  const calls = askedBy(old);
  return calls.some(({ key }) => {
    const runs = ran(trace).filter((run) => run.key === key && run.call.seq > old.seq);
    const well = runs.filter(({ call, result }) => call.seq < from && result?.outcome.kind === "value");
    const again = runs.some(({ call }) => call.seq > from && call.seq < until);
    return again && well.length >= calls.filter((call) => call.key === key).length;
  });
}

function holdsTwice(request: RequestEvent, { message }: Delivered): boolean {
  const ids = message.content.filter(isToolUse).map(({ id }) => id);
  return pushedTwice(request).some((id) => ids.includes(id));
}

export default diagnosis;
