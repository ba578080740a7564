import type { Block } from "../../trace/api.ts";
import type { RequestEvent, Trace } from "../../trace/events.ts";
import { isRecord } from "../../trace/json.ts";
import { runsFor } from "./alike.ts";
import { isHollow } from "./answer.ts";
import { type Asked, askedById, keyOf, ran } from "./calls.ts";
import { rememberList } from "./json.ts";
import { pairs } from "./pairing.ts";
import { contentText, type Exchange } from "./requests.ts";

/**
 * A request that was sent before the results of its calls existed, and how that shows: `promise`, a promise was sent where
 * a result should be; `nothing`, a result that says nothing; `empty`, there was no result yet, and `part`, there were only
 * others. In all but the first the tools were still under way.
 */
export interface Unawaited extends Exchange {
  how: "promise" | "nothing" | "empty" | "part";
  calls: { name: string }[];
}

/** The first request sent without waiting for its tools; null when there is none. */
export const unawaitedTools: (trace: Trace) => Unawaited | null = rememberList((trace: Trace): Unawaited | null => {
  for (const pair of pairs(trace)) {
    const { request, reply, uses, next } = pair;
    const asked = askedById(trace, request.seq);
    const promised = pair.results.filter(
      (block) =>
        isPromise(block.content) &&
        !returnsEmpty(trace, asked.get(block.tool_use_id)) &&
        (isNamedPromise(block.content) || wasUnderWay(trace, request, asked.get(block.tool_use_id))),
    );
    if (promised.length > 0) {
      const ids = promised.map((block) => block.tool_use_id);
      return { request, reply, how: "promise", calls: uses.filter(({ id }) => ids.includes(id)) };
    }
    // A result that says nothing, or none at all, is no sign by itself: what had come back may have been put elsewhere.
    const late = uses.filter(({ name, input }) => isUnderWay(trace, request, keyOf(String(name), input)));
    if (late.length === 0) continue;
    if (pair.results.length > 0) {
      const hollow = pair.results.filter((block) => block.is_error !== true && isHollow(contentText(block.content)));
      const ids = hollow.map((block) => block.tool_use_id);
      const unsaid = late.filter(({ id }) => ids.includes(id));
      if (unsaid.length > 0) return { request, reply, how: "nothing", calls: unsaid };
      const unsent = late.filter((use) => pair.missing.includes(use));
      if (unsent.length > 0 && pair.foreign.length === 0) return { request, reply, how: "part", calls: unsent };
      continue;
    }
    const content = next?.content ?? [];
    if (content.length === 0) return { request, reply, how: "empty", calls: uses };
    if (content.every(isPromiseBlock)) return { request, reply, how: "promise", calls: uses };
  }
  return null;
});

/** What a promise turns into on its way to the API: `{}` as JSON, `[object Promise]` as text. */
export function isPromise(content: unknown): boolean {
  if (typeof content === "string") return content.trim() === "{}" || content.includes("[object Promise]");
  if (!Array.isArray(content)) return isRecord(content) && Object.keys(content).length === 0;
  const items = content.map((item: unknown) => (isRecord(item) && "text" in item ? item.text : item));
  return items.length > 0 && items.every((item) => !Array.isArray(item) && isPromise(item));
}

function isNamedPromise(content: unknown): boolean {
  return (typeof content === "string" ? content : (JSON.stringify(content) ?? "")).includes("[object Promise]");
}

/** Whether a call's tool had not answered when the request went out: `{}` alone may be what a loop made of its result. */
function wasUnderWay(trace: Trace, request: RequestEvent, asked: Asked | undefined): boolean {
  const runs = asked === undefined ? [] : runsFor(trace, asked);
  if (runs.length === 0) return true;
  return runs.some(({ call }) => call.seq > request.seq || request.underWay?.includes(call.call));
}

/** Whether a tool was still at work on a call when the request went out, and did come back. */
function isUnderWay(trace: Trace, request: RequestEvent, key: string): boolean {
  return ran(trace).some(
    (run) => run.key === key && run.result?.outcome.kind !== "hung" && request.underWay?.includes(run.call.call),
  );
}

function isPromiseBlock(block: Block): boolean {
  return block.type === "unknown" && isPromise((block as { value?: unknown }).value);
}

/** Whether the tool really returned something that reads like a promise. */
function returnsEmpty(trace: Trace, asked: Asked | undefined): boolean {
  if (asked === undefined) return false;
  return runsFor(trace, asked).some(
    ({ result }) => result?.outcome.kind === "value" && isPromise(result.outcome.value),
  );
}

/** Whether the request's shape is put down to a missing `await`. */
export function isUnawaited(trace: Trace, request: RequestEvent): boolean {
  return unawaitedTools(trace)?.request === request;
}
