import type { Block } from "../../trace/api.ts";
import type { RequestEvent, Trace } from "../../trace/events.ts";
import { isRecord } from "../../trace/json.ts";
import { type Asked, askedById, keyOf, ran } from "./calls.ts";
import { rememberList } from "./json.ts";
import { pairs } from "./pairing.ts";
import type { Exchange } from "./requests.ts";

/**
 * A request that was sent before the results of its calls existed, and how that shows: `promise`, a promise was sent where
 * a result should be; `empty`, the list of results was still empty though the tools were run.
 */
export interface Unawaited extends Exchange {
  how: "promise" | "empty";
  calls: { name: string }[];
}

/** The first request sent without waiting for its tools; null when there is none. */
export const unawaitedTools: (trace: Trace) => Unawaited | null = rememberList((trace: Trace): Unawaited | null => {
  for (const pair of pairs(trace)) {
    const { request, reply, uses, next } = pair;
    if (next === null) continue;
    const asked = askedById(trace, request.seq);
    const promised = pair.results.filter(
      (block) => isPromise(block.content) && !returnsEmpty(trace, asked.get(block.tool_use_id)),
    );
    if (promised.length > 0) {
      const ids = promised.map((block) => block.tool_use_id);
      return { request, reply, how: "promise", calls: uses.filter(({ id }) => ids.includes(id)) };
    }
    if (pair.results.length > 0) continue;
    const keys = new Set(uses.map(({ name, input }) => keyOf(String(name), input)));
    const wereRun = ran(trace).some(({ key }) => keys.has(key));
    if (wereRun && next.content.length > 0 && next.content.every(isPromiseBlock))
      return { request, reply, how: "promise", calls: uses };
    if (wereRun && next.content.length === 0) return { request, reply, how: "empty", calls: uses };
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

function isPromiseBlock(block: Block): boolean {
  return block.type === "unknown" && isPromise((block as { value?: unknown }).value);
}

/** Whether the tool really returned something that reads like a promise. */
function returnsEmpty(trace: Trace, asked: Asked | undefined): boolean {
  if (asked === undefined) return false;
  return ran(trace).some(
    ({ key, result }) => key === asked.key && result?.outcome.kind === "value" && isPromise(result.outcome.value),
  );
}

/** Whether the request's shape is put down to a missing `await`. */
export function isUnawaited(trace: Trace, request: RequestEvent): boolean {
  return unawaitedTools(trace)?.request === request;
}
