import { isText, isToolResult, isToolUse } from "../../trace/api.ts";
import type { RequestEvent, Trace } from "../../trace/events.ts";
import { type Asked, askedBy, askedById, delivered } from "./calls.ts";
import { orphans } from "./pairing.ts";
import { type Exchange, exchanges } from "./requests.ts";
import { pushedTwice } from "./surplus.ts";

/**
 * What stands in the wrong place in a request that holds all it needs.
 * `prompt`: newer turns stand before the question. `early`: a result before the turn that asks for it. `late`: a result
 * after it, with another message between. `newest-first`: a turn before an older one.
 */
export interface Misplaced extends Exchange {
  what: "prompt" | "early" | "late" | "newest-first";
  /** The calls whose result or turn is in the wrong place. */
  calls: Asked[];
}

/** The first request whose messages stand in the wrong order; null when there is none. */
export function misplaced(trace: Trace): Misplaced | null {
  const moved = movedPrompts(trace);
  for (const exchange of exchanges(trace)) {
    const { request } = exchange;
    const before = moved.get(request);
    if (before !== undefined) return { ...exchange, what: "prompt", calls: before };
    for (const what of ["early", "late"] as const) {
      const wrong = orphans(trace).filter((orphan) => orphan.request === request && orphan.why === what);
      const calls = wrong.flatMap(({ asked }) => asked ?? []);
      if (calls.length > 0) return { ...exchange, what, calls };
    }
    const newer = newerFirst(trace, request);
    if (newer !== null) return { ...exchange, what: "newest-first", calls: newer };
  }
  return null;
}

/**
 * The requests in which calls or results of later turns stand before the first words of the conversation, with those calls.
 * None in a run where such a request lacks a turn: there the history was cut short and the question said once more at its end.
 */
function movedPrompts(trace: Trace): ReadonlyMap<RequestEvent, Asked[]> {
  const moved = new Map<RequestEvent, Asked[]>();
  const opening = exchanges(trace)[0]?.request.history[0];
  const prompt = opening?.role === "user" ? opening.content.find(isText)?.text : undefined;
  if (prompt === undefined) return moved;
  for (const { request } of exchanges(trace)) {
    const blocks = request.history.flatMap(({ content }) => content);
    const place = blocks.findIndex((block) => isText(block) && block.text === prompt);
    if (place < 1) continue;
    const asked = askedById(trace, request.seq);
    const before = blocks
      .slice(0, place)
      .flatMap((block) => (isToolUse(block) ? block.id : isToolResult(block) ? block.tool_use_id : []))
      .flatMap((id) => asked.get(id) ?? []);
    if (before.length === 0) continue;
    const held = new Set(blocks.filter(isToolUse).map(({ id }) => id));
    const whole = delivered(trace)
      .filter((reply) => reply.seq < request.seq && askedBy(reply).length > 0)
      .every((reply) => askedBy(reply).some(({ id }) => held.has(id)));
    if (!whole) return new Map();
    moved.set(request, [...new Set(before)]);
  }
  return moved;
}

/** The calls of the first turn that stands before an older one; null where the turns follow one another as they were given. */
function newerFirst(trace: Trace, request: RequestEvent): Asked[] | null {
  // A turn that stands there twice is another mistake, and in order with neither of its places.
  if (pushedTwice(request).length > 0) return null;
  const asked = askedById(trace, request.seq);
  let latest: Asked | null = null;
  for (const { role, content } of request.history) {
    if (role !== "assistant") continue;
    for (const { id } of content.filter(isToolUse)) {
      const call = asked.get(id);
      if (call === undefined) continue;
      if (latest !== null && call.reply.seq < latest.reply.seq) return [latest, call];
      latest = call;
    }
  }
  return null;
}
