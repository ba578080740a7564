import type { Trace } from "../../trace/events.ts";
import { type Asked, askedBy, type Delivered, delivered, type Ran, ran } from "./calls.ts";

/**
 * Calls of one reply that ask for the very same, by name and input, and all that was run for them. A host hands a tool its
 * input and never the id: whose run is whose cannot be told, so each of them may be answered with what any run gave.
 */
export interface Alike {
  calls: readonly [Asked, ...Asked[]];
  /** Up to the next reply that asks for the same again. */
  runs: readonly Ran[];
}

/** The calls of a reply: those that are alike together, in the order of the first of each. */
export function alikeIn(trace: Trace, reply: Delivered): Alike[] {
  const groups = new Map<string, [Asked, ...Asked[]]>();
  for (const call of askedBy(reply)) {
    const known = groups.get(call.key);
    if (known) known.push(call);
    else groups.set(call.key, [call]);
  }
  return [...groups].map(([key, calls]) => ({ calls, runs: runsBetween(trace, key, reply) }));
}

/** All that was run for a call, and for those of its reply that are alike. */
export function runsFor(trace: Trace, { key, reply }: Asked): Ran[] {
  return runsBetween(trace, key, reply);
}

function runsBetween(trace: Trace, key: string, reply: Delivered): Ran[] {
  const again = delivered(trace).find(
    (other) => other.seq > reply.seq && askedBy(other).some((call) => call.key === key),
  );
  const until = again?.seq ?? Number.POSITIVE_INFINITY;
  return ran(trace).filter((run) => run.key === key && run.call.seq > reply.seq && run.call.seq < until);
}
