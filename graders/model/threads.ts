import type { RequestEvent, Trace } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import { member } from "./history.ts";

/**
 * A request of a server-held thread, written out in full.
 * The SDK's tool runner sends only what is new, with `thread: {type: "continue", previous_message_id}`; the API adds what
 * it holds: the messages and the reply so far, and the fields that this request leaves out. Any other body is returned as
 * it is, and so is one that continues a reply this run never gave.
 * @param trace the run so far; it may already hold this request
 */
export function rebuildThread(trace: Trace, body: unknown): unknown {
  const parts: Record<string, unknown>[] = [];
  const replies: unknown[] = [];
  let current: unknown = body;
  // Back from reply to request to reply: each step goes back in the run, so this ends.
  for (let before = Number.POSITIVE_INFINITY; isRecord(current); ) {
    parts.unshift(current);
    const previous = previousId(current);
    if (previous === null) break;
    const reply = trace.find((event) => event.type === "reply" && event.message?.id === previous && event.seq < before);
    if (reply?.type !== "reply") return body;
    replies.unshift(reply.message?.content);
    before = reply.request;
    current = trace.find(
      (event): event is RequestEvent => event.type === "request" && event.seq === reply.request,
    )?.body;
  }
  if (replies.length === 0 || parts.length !== replies.length + 1) return body;

  const messages = parts.flatMap((part, i) => {
    const sent = Array.isArray(part.messages) ? part.messages : [];
    return i === 0 ? sent : [{ role: "assistant", content: replies[i - 1] }, ...sent];
  });
  const { thread: _, ...fields } = Object.assign({}, ...parts);
  return { ...fields, messages };
}

/** Whether a body continues a thread from a reply that this run never gave. */
export function isLost(trace: Trace, body: unknown): boolean {
  return previousId(body) !== null && rebuildThread(trace, body) === body;
}

function previousId(body: unknown): string | null {
  const thread = member(body, "thread");
  const id = member(thread, "previous_message_id");
  return member(thread, "type") === "continue" && typeof id === "string" ? id : null;
}
