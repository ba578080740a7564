/** What everybody asks of a trace: its events of a kind, first to last. */
import type { ApiMessage } from "./api.ts";
import type { ReplyEvent, RequestEvent, ToolCallEvent } from "./events.ts";
import type { Run } from "./run.ts";

type Traced = Pick<Run, "trace">;

export type Answered = ReplyEvent & { message: ApiMessage };

/** The replies with a Message. */
export function repliesOf({ trace }: Traced): Answered[] {
  return trace.filter((event): event is Answered => event.type === "reply" && event.message !== null);
}

/** Every request, refused ones included. */
export function requestsOf({ trace }: Traced): RequestEvent[] {
  return trace.filter((event): event is RequestEvent => event.type === "request");
}

/** The tools that were run. */
export function toolCallsOf({ trace }: Traced): ToolCallEvent[] {
  return trace.filter((event): event is ToolCallEvent => event.type === "tool-call");
}
