import type { ApiMessage } from "../../trace/api.ts";
import { isToolUse } from "../../trace/api.ts";
import type { ReplyEvent, ToolCallEvent, ToolResultEvent, Trace } from "../../trace/events.ts";
import type { Scenario, ScriptCall } from "../../trace/scenario.ts";
import { remember, rememberList, stable, toJson } from "./json.ts";

/** A reply that came with a Message. */
export type Delivered = ReplyEvent & { message: ApiMessage };

/** A call that a reply asked for. */
export interface Asked {
  id: string;
  name: string;
  input: unknown;
  key: string;
  reply: Delivered;
  /** Its place among the calls of its reply, from 0. */
  position: number;
}

/** A call that the loop ran, and how that went; `result` is null while it is outstanding. */
export interface Ran {
  call: ToolCallEvent;
  key: string;
  result: ToolResultEvent | null;
}

/** What makes two calls the same: name and input. No input is the same as an empty one. */
export function keyOf(name: string, input: unknown): string {
  return `${name} ${stable(input ?? {})}`;
}

export function isDelivered(event: Trace[number]): event is Delivered {
  return event.type === "reply" && event.kind === "message" && event.message !== null;
}

/** The replies with a Message, in order. */
export const delivered: (trace: Trace) => readonly Delivered[] = rememberList((trace: Trace) =>
  trace.filter(isDelivered),
);

/** The calls of one reply, in order. */
export const askedBy: (reply: Delivered) => readonly Asked[] = remember((reply: Delivered) =>
  reply.message.content
    .filter(isToolUse)
    .map(({ id, name, input }, position) => ({ id, name, input, key: keyOf(name, input), reply, position })),
);

/** Every call that the replies before `seq` asked for, by its id. */
export function askedById(trace: Trace, seq = Number.POSITIVE_INFINITY): Map<string, Asked> {
  const byId = new Map<string, Asked>();
  for (const reply of delivered(trace)) {
    if (reply.seq >= seq) break;
    for (const asked of askedBy(reply)) byId.set(asked.id, asked);
  }
  return byId;
}

export const keyOfCall: (call: ToolCallEvent) => string = remember((call: ToolCallEvent) =>
  keyOf(call.name, call.input),
);

/** The calls that were run, in order. */
export const ran: (trace: Trace) => readonly Ran[] = rememberList((trace: Trace) => {
  const results = new Map<number, ToolResultEvent>();
  for (const event of trace) if (event.type === "tool-result") results.set(event.call, event);
  return trace
    .filter((event) => event.type === "tool-call")
    .map((call) => ({ call, key: keyOfCall(call), result: results.get(call.call) ?? null }));
});

/** By what a tool's outcome is known again in JSON: the token of its value, or the words of its error. */
export function markOf(outcome: ToolResultEvent["outcome"] | undefined): string[] {
  if (outcome?.kind === "value" && outcome.nonce) return [outcome.nonce];
  if (outcome?.kind === "error" && outcome.message) return [toJson(outcome.message).slice(1, -1)];
  return [];
}

/** Names of the calls, in order. */
export function namesOf(calls: readonly { name: string }[]): string[] {
  return calls.map(({ name }) => name);
}

/** Whether a reply was the conversation's proper end. One that a full context window cut off is not: it says half of something. */
export function isEnd(reply: Delivered): boolean {
  if (reply.message.stop_reason === "model_context_window_exceeded") return false;
  return reply.final && reply.complete && askedBy(reply).length === 0;
}

/** What the script says of a call: null for a reply from outside the script. */
export function scriptOf(scenario: Scenario, asked: Asked): ScriptCall | null {
  if (asked.reply.entry === null) return null;
  const entry = scenario.entry(asked.reply.entry);
  if (entry.kind !== "reply") return null;
  return entry.content.filter((block) => block.type === "tool_use")[asked.position] ?? null;
}
