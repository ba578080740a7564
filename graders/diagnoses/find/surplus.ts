import { isToolUse } from "../../trace/api.ts";
import type { RequestEvent, ToolResultEvent, Trace } from "../../trace/events.ts";
import { type Asked, askedBy, type Delivered, isDelivered, keyOfCall, type Ran } from "./calls.ts";
import { isTurnedDown } from "./faults.ts";
import { exchanges } from "./requests.ts";

/** A call that went well more often than replies asked for it, between two replies that asked for something new. */
export interface Surplus {
  /** The call as the latest reply that wanted it asked for it. */
  asked: Asked;
  /** Good runs beyond the times it was asked for. */
  surplus: number;
  /** Good runs since `asked.reply`. */
  runs: number;
  /** The first run too many, and the last. */
  first: Ran;
  last: Ran;
}

interface Count {
  asked: number;
  well: number;
  first: Ran | null;
  last: Ran | null;
}

/**
 * Good runs are counted against requests for them, by name and input, as a multiset. The count starts afresh at each reply
 * that asks for a call no reply had asked for before; what was asked for and not yet run is carried over. A failed run is
 * never surplus: an honest host may try again.
 */
function surplusRuns(trace: Trace): Surplus[] {
  const found: Surplus[] = [];
  const latest = new Map<string, Asked>();
  const runsOf = new Map<string, number>();
  const calls = new Map<number, Ran>();
  let counts = new Map<string, Count>();

  const close = () => {
    for (const [key, { asked: times, well, first, last }] of counts) {
      const asked = latest.get(key);
      if (asked && first && last && well > times) {
        found.push({ asked, surplus: well - times, runs: runsOf.get(key) ?? well, first, last });
      }
    }
    const carried = [...counts].filter(([, { asked, well }]) => asked > well);
    counts = new Map(
      carried.map(([key, { asked, well }]) => [key, { asked: asked - well, well: 0, first: null, last: null }]),
    );
  };
  const countOf = (key: string) => {
    const count = counts.get(key) ?? { asked: 0, well: 0, first: null, last: null };
    counts.set(key, count);
    return count;
  };

  for (const event of trace) {
    if (isDelivered(event)) {
      const asks = askedBy(event);
      if (asks.some(({ key }) => !latest.has(key))) close();
      for (const asked of asks) {
        if (latest.get(asked.key)?.reply !== event) runsOf.set(asked.key, 0);
        latest.set(asked.key, asked);
        countOf(asked.key).asked++;
      }
    } else if (event.type === "tool-call") {
      calls.set(event.call, { call: event, key: keyOfCall(event), result: null });
    } else if (event.type === "tool-result" && event.outcome.kind === "value") {
      const run = calls.get(event.call);
      if (run && latest.has(run.key)) record({ ...run, result: event });
    }
  }
  close();
  return found;

  function record(run: Ran & { result: ToolResultEvent }) {
    const count = countOf(run.key);
    count.well++;
    runsOf.set(run.key, (runsOf.get(run.key) ?? 0) + 1);
    if (count.well <= count.asked) return;
    count.first ??= run;
    count.last = run;
  }
}

/** Those runs, without what a loop ran on a reply for want of another. */
export function staleRuns(trace: Trace): Surplus[] {
  return surplusRuns(trace).filter(({ asked, first }) => !hadNoOther(trace, asked.reply, first.call.seq));
}

/** Calls that a request's history holds in more than one place. */
export function pushedTwice(request: RequestEvent): string[] {
  const ids = request.history
    .filter(({ role }) => role === "assistant")
    .flatMap(({ content }) => content.filter(isToolUse).map(({ id }) => id));
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

/**
 * Whether a loop at a point of a run acts on a reply for want of another: it had asked for one, and the API turned down all it
 * sent. What it sent is the mistake then, and whatever comes of going on with the old reply is not.
 */
export function hadNoOther(trace: Trace, reply: Delivered, at: number): boolean {
  const between = exchanges(trace).filter(({ request }) => request.seq > reply.seq && request.seq < at);
  return between.length > 0 && between.every((exchange) => isTurnedDown(exchange.reply));
}

/** Whether the conversation went on properly after a run too many: the model answered a history that holds the reply once. */
export function wentOn(trace: Trace, { first, asked }: Surplus): boolean {
  return exchanges(trace).some(
    ({ request, reply }) =>
      request.seq > first.call.seq &&
      reply?.kind === "message" &&
      !pushedTwice(request).includes(asked.id) &&
      isLater(reply.seq),
  );
  function isLater(seq: number) {
    return seq > (first.result?.seq ?? first.call.seq);
  }
}

/** A request after the run too many that holds the acted-on reply twice; null when there is none. */
export function stalePush(trace: Trace, { asked }: Surplus) {
  return exchanges(trace).find(({ request }) => pushedTwice(request).includes(asked.id)) ?? null;
}
