import type { ReplyEvent, RequestEvent, Trace } from "./events.ts";
import type { Counts } from "./run.ts";

/** What the trace amounts to, in numbers. */
export function countsOf(trace: Trace): Counts {
  const replies = trace.filter((event): event is ReplyEvent => event.type === "reply");
  const requests = trace.filter((event): event is RequestEvent => event.type === "request");
  const lastAnswered = replies.findLast((reply) => reply.kind === "message");
  const itsRequest = requests.find((request) => request.seq === lastAnswered?.request);
  return {
    callModel: replies.filter((reply) => reply.kind === "message").length,
    executeTool: trace.filter((event) => event.type === "tool-call").length,
    httpRequests: requests.length + trace.filter(({ type }) => type === "count-tokens" || type === "aside").length,
    rejected: replies.filter((reply) => reply.kind === "rejection").length,
    faulted: replies.filter((reply) => reply.kind === "fault").length,
    messages: itsRequest ? itsRequest.history.length + 1 : 0,
  };
}
