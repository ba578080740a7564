import type { ApiMessage } from "../../trace/api.ts";
import { isToolUse } from "../../trace/api.ts";
import type { Trace } from "../../trace/events.ts";
import { type Asked, askedById, delivered, keyOf, type Ran, ran } from "./calls.ts";

/** A call as a reply wrote it down, finished or not. */
export type Written = Pick<Asked, "id" | "name" | "input" | "key">;

/** The calls of a message. */
export function writtenIn(message: ApiMessage): Written[] {
  return message.content.filter(isToolUse).map(({ id, name, input }) => ({ id, name, input, key: keyOf(name, input) }));
}

/**
 * The first run of one of the calls that came at `seq`, before the model said anything else.
 * Told by name and input; by the name alone where nothing had asked for that input: half an input may be read in many ways.
 * A run that an older whole reply still waited for is that reply's.
 */
export function runOf(trace: Trace, seq: number, calls: readonly Written[]): { run: Ran; call: Written } | null {
  const until = delivered(trace).find((reply) => reply.seq > seq)?.seq ?? Number.POSITIVE_INFINITY;
  const asked = askedById(trace, seq);
  const askedKeys = new Set([...asked.values()].map(({ key }) => key));
  for (const run of ran(trace)) {
    if (run.call.seq < seq || run.call.seq > until) continue;
    if (asked.get(run.call.answers ?? "")?.reply.complete) continue;
    const call =
      calls.find(({ key }) => key === run.key) ??
      (run.call.answers === null && !askedKeys.has(run.key)
        ? calls.find(({ name }) => name === run.call.name)
        : undefined);
    if (call) return { run, call };
  }
  return null;
}
