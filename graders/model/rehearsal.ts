import type { ApiMessage, ToolUseBlock } from "../trace/api.ts";
import type { Trace } from "../trace/events.ts";
import type { Behaviour, Scenario } from "../trace/scenario.ts";
import { converse } from "./conversation.ts";
import type { HttpAnswer } from "./encoding.ts";
import type { Answer } from "./model.ts";

/** A run without a sandbox: the model and the tools called in-process, and the trace they leave. For tests. */
export interface Rehearsal {
  readonly trace: Trace;
  /** Sends a body as it is. */
  send(body: unknown): Answer;
  /** Runs a tool. */
  run(name: string, input: unknown): Behaviour;
}

/** Begins a run of this scenario. */
export function rehearse(scenario: Scenario): Rehearsal {
  const { trace, send, run } = converse(scenario);
  // What arrives is a copy: a host may change its messages afterwards.
  return { trace, send: (sent) => send({ body: structuredClone(sent) }), run };
}

/** An HTTP answer as `fetch` would give it, in the pieces that it arrives in. */
export function responseOf({ status, headers, body, pieces }: HttpAnswer): Response {
  if (pieces.length === 0) return new Response(body, { status, headers });
  const bytes = new TextEncoder().encode(body);
  let at = 0;
  const chunks = pieces.map((length) => {
    at += length;
    return bytes.slice(at - length, at);
  });
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
  return new Response(stream, { status, headers });
}

/** A request body with the scenario's tools. */
export function bodyOf(scenario: Scenario, messages: readonly unknown[]): Record<string, unknown> {
  return { model: "claude-sonnet-5-5", max_tokens: 1024, tools: scenario.tools, messages };
}

/** The prompt of a scenario, as the first message. */
export function promptOf(scenario: Scenario): { role: "user"; content: string } {
  return { role: "user", content: scenario.userInput };
}

/** The results of all that a message asks for, run and answered in order; a call to refuse is answered without being run. */
export function resultsOf(rehearsal: Rehearsal, scenario: Scenario, message: ApiMessage): unknown[] {
  return message.content
    .filter((block): block is ToolUseBlock => block.type === "tool_use")
    .map(({ id, name, input }) => {
      if (mustRefuse(scenario, rehearsal.trace, id)) {
        return { type: "tool_result", tool_use_id: id, content: "refused", is_error: true };
      }
      if (!scenario.tools.some((tool) => tool.name === name)) {
        return { type: "tool_result", tool_use_id: id, content: `Unknown tool: ${name}`, is_error: true };
      }
      const behaviour = rehearsal.run(name, input);
      if (behaviour.kind === "returns")
        return { type: "tool_result", tool_use_id: id, content: JSON.stringify(behaviour.value) };
      const content = behaviour.kind === "throws" ? behaviour.message : "timed out";
      return { type: "tool_result", tool_use_id: id, content, is_error: true };
    });
}

function mustRefuse(scenario: Scenario, trace: Trace, id: string): boolean {
  for (const event of trace) {
    if (event.type !== "reply" || !event.message || event.entry === null) continue;
    const entry = scenario.entry(event.entry);
    const asked = event.message.content.filter((block) => block.type === "tool_use");
    const index = asked.findIndex((block) => block.id === id);
    if (index === -1 || entry.kind === "fault") continue;
    const call = entry.content.filter((block) => block.type === "tool_use")[index];
    return call?.refuse ?? false;
  }
  return false;
}

/**
 * An honest loop: pushes what the model says, answers every call in one message, sends again after a fault or a reply that
 * was cut short, goes on with a paused turn, and stops at the first reply that ends the turn or at `cap` requests.
 * @returns the last answer, and the messages of the last request
 */
export function playHonestly(
  rehearsal: Rehearsal,
  scenario: Scenario,
  cap = 200,
): { last: Answer; messages: unknown[] } {
  const messages: unknown[] = [promptOf(scenario)];
  for (let sent = 1; ; sent++) {
    const last = rehearsal.send(bodyOf(scenario, messages));
    const reason = last.message?.stop_reason;
    const goesOn =
      last.kind === "fault" || ["tool_use", "max_tokens", "pause_turn", "compaction"].includes(reason ?? "");
    if (!goesOn || sent === cap) return { last, messages };
    if (!last.message || reason === "max_tokens") continue;
    messages.push({ role: "assistant", content: last.message.content });
    if (reason === "tool_use") messages.push({ role: "user", content: resultsOf(rehearsal, scenario, last.message) });
  }
}
