/** Reading a trace: the questions that criteria and quizzes ask of it, over and over. */
import { isToolResult, isToolUse, type ToolResultBlock, type ToolUseBlock } from "../../trace/api.ts";
import type { RequestEvent, ToolResultEvent } from "../../trace/events.ts";
import { type Answered, repliesOf, requestsOf, toolCallsOf } from "../../trace/reading.ts";
import type { Run } from "../../trace/run.ts";
import type { ReplyEntry, Scenario, ScriptCall } from "../../trace/scenario.ts";

export { type Answered, repliesOf, requestsOf, toolCallsOf };

/** The requests that got a Message, first to last. */
export function answeredRequestsOf(run: Run): RequestEvent[] {
  const answered = new Set(repliesOf(run).map((reply) => reply.request));
  return requestsOf(run).filter((request) => answered.has(request.seq));
}

/** What the tools gave back, first to last. */
export function toolResultsOf(run: Run): ToolResultEvent[] {
  return run.trace.filter((event): event is ToolResultEvent => event.type === "tool-result");
}

/** The tool_use blocks of a reply. */
export function callsIn(reply: Answered): ToolUseBlock[] {
  return reply.message.content.filter(isToolUse);
}

/** The replies that wait for results, each with its calls. A call in a reply that was cut or declined is not to be run. */
export function turnsOf(run: Run): { reply: Answered; calls: ToolUseBlock[] }[] {
  return repliesOf(run)
    .filter(({ message }) => message.stop_reason === "tool_use")
    .map((reply) => ({ reply, calls: callsIn(reply) }))
    .filter(({ calls }) => calls.length > 0);
}

/** How many replies of a scenario's script wait for results, once round. */
export function scriptedTurns(scenario: Scenario): number {
  return scriptedReplies(scenario).filter((entry) => entry.stopReason === "tool_use" && callsOf(entry).length > 0)
    .length;
}

/** Whether the script of a scenario asks for tools at all. */
export function asksForTools(scenario: Scenario): boolean {
  return scriptedTurns(scenario) > 0;
}

/** Every call of a scenario's script, once round. */
export function scriptedCalls(scenario: Scenario): ScriptCall[] {
  return scriptedReplies(scenario).flatMap((entry) => callsOf(entry));
}

/** Every reply of a scenario's script, once round. */
export function scriptedReplies(scenario: Scenario): ReplyEntry[] {
  return Array.from({ length: scenario.length }, (_, index) => scenario.entry(index)).filter(
    (entry): entry is ReplyEntry => entry.kind === "reply",
  );
}

function callsOf(entry: ReplyEntry): ScriptCall[] {
  return entry.content.filter((block): block is ScriptCall => block.type === "tool_use");
}

/** The reply a script ends with. */
export function lastScripted(scenario: Scenario): ReplyEntry | null {
  return scriptedReplies(scenario).at(-1) ?? null;
}

/** The calls of a reply that the host must refuse, by what the script says of them. */
export function refusedIn(run: Run, reply: Answered): ToolUseBlock[] {
  return callsThat(run, reply, ({ refuse }) => refuse);
}

/** The calls of a reply for tools that do not exist. */
export function inventedIn(run: Run, reply: Answered): ToolUseBlock[] {
  return callsThat(run, reply, ({ invented }) => invented);
}

function callsThat(run: Run, reply: Answered, is: (scripted: ScriptCall) => boolean): ToolUseBlock[] {
  if (reply.entry === null) return [];
  const entry = run.scenario.entry(reply.entry);
  if (entry.kind !== "reply") return [];
  const scripted = callsOf(entry);
  return callsIn(reply).filter((_, index) => scripted[index] !== undefined && is(scripted[index]));
}

/** One message as it was sent: `content` as a list, whatever was sent. */
export interface SentMessage {
  role: unknown;
  content: { type: string; [key: string]: unknown }[];
}

/** The messages of a request as they were sent, not merged. What is not shaped like a message is left out. */
export function sentMessages(request: RequestEvent): SentMessage[] {
  const messages = isRecord(request.body) ? request.body.messages : undefined;
  if (!Array.isArray(messages)) return [];
  return messages.filter(isRecord).map(({ role, content }) => ({
    role,
    content: Array.isArray(content)
      ? content.filter(
          (block): block is SentMessage["content"][number] => isRecord(block) && typeof block.type === "string",
        )
      : [{ type: "text", text: content }],
  }));
}

/** The results in a message as it was sent. */
export function resultsIn(message: SentMessage): ToolResultBlock[] {
  return message.content.filter((block) => isToolResult(block)) as unknown as ToolResultBlock[];
}

/** The first answered request after `reply` that holds a result for one of its calls. */
export function answerTo(run: Run, reply: Answered): RequestEvent | null {
  const ids = new Set(callsIn(reply).map(({ id }) => id));
  return (
    answeredRequestsOf(run).find(
      (request) =>
        request.seq > reply.seq &&
        request.history.some(({ content }) =>
          content.some((block) => isToolResult(block) && ids.has(block.tool_use_id)),
        ),
    ) ?? null
  );
}

/** What runAgent returned, as the child sent it; undefined when it returned nothing or did not return. */
export function returnedBy(run: Run): unknown {
  const settled = run.trace.find((event) => event.type === "settled");
  return settled?.type === "settled" && settled.how === "returned" ? settled.value : undefined;
}

/** A field of the object a quiz program returned. */
export function field(run: Run | undefined, name: string): unknown {
  const value = run === undefined ? undefined : returnedBy(run);
  return isRecord(value) ? value[name] : undefined;
}

/** Whether a token of the run occurs anywhere in a value. */
export function holds(value: unknown, nonce: string): boolean {
  return (JSON.stringify(value) ?? "").includes(nonce);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
