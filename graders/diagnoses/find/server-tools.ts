import type { ServerToolUseBlock } from "../../trace/api.ts";
import type { RequestEvent, Trace } from "../../trace/events.ts";
import type { Scenario } from "../../trace/scenario.ts";
import { mentions } from "./answer.ts";
import { type Delivered, delivered } from "./calls.ts";
import { nonces } from "./script.ts";

export function isServerToolUse(block: { type: string }): block is ServerToolUseBlock {
  return block.type === "server_tool_use";
}

/** What the API ran by itself in one reply. */
export function serverCalls(reply: Delivered): ServerToolUseBlock[] {
  return reply.message.content.filter(isServerToolUse);
}

/** Every such call of the replies so far, by its id. */
export function serverCallsById(trace: Trace): Map<string, ServerToolUseBlock> {
  return new Map(delivered(trace).flatMap((reply) => serverCalls(reply).map((call) => [call.id, call] as const)));
}

/** The replies that paused, in order. */
export function paused(trace: Trace): Delivered[] {
  return delivered(trace).filter(({ message }) => message.stop_reason === "pause_turn");
}

/** Place in a request's history of the assistant message that holds a reply: by the ids of its server tools, else by its words. -1 without one. */
export function placeOf(scenario: Scenario, request: RequestEvent, reply: Delivered): number {
  const ids = new Set(serverCalls(reply).map(({ id }) => id));
  const { text, thinking } = nonces(scenario, reply);
  return request.history.findLastIndex(({ role, content }) => {
    if (role !== "assistant") return false;
    return (
      content.some((block) => isServerToolUse(block) && ids.has(block.id)) || mentions(content, [...text, ...thinking])
    );
  });
}
