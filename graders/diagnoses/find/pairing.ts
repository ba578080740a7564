import type { HistoryMessage, ToolResultBlock, ToolUseBlock } from "../../trace/api.ts";
import { isText, isToolResult, isToolUse } from "../../trace/api.ts";
import type { RequestEvent, Trace } from "../../trace/events.ts";
import type { Scenario } from "../../trace/scenario.ts";
import { type Asked, askedBy, askedById, type Delivered, keyOf } from "./calls.ts";
import { rememberList, toJson } from "./json.ts";
import { type Exchange, exchanges, newFrom } from "./requests.ts";
import { nonces } from "./script.ts";

/** One assistant message with calls in a request's history, and the message that should answer it. */
export interface Pair extends Exchange {
  /** Place of the assistant message in the effective history. */
  index: number;
  uses: ToolUseBlock[];
  /** The message after it; null when the history ends there. */
  next: HistoryMessage | null;
  results: ToolResultBlock[];
  /** Calls that no result of the next message names. */
  missing: ToolUseBlock[];
  /** Results of the next message that name none of these calls. */
  foreign: ToolResultBlock[];
  /** Ids named by two or more results of the next message. */
  repeated: string[];
  /** Something else stands before or between the results. */
  interrupted: boolean;
}

/** Every assistant turn with calls, answered or not, in the requests in which it or its answer is new. */
export const pairs: (trace: Trace) => readonly Pair[] = rememberList((trace: Trace) => {
  const from = newFrom(trace);
  return exchanges(trace).flatMap((exchange) => pairsOf(exchange, (from.get(exchange.request) ?? 0) - 1));
});

function pairsOf({ request, reply }: Exchange, from: number): Pair[] {
  const found: Pair[] = [];
  for (const [index, message] of request.history.entries()) {
    if (index < from || message.role !== "assistant") continue;
    const uses = message.content.filter(isToolUse);
    if (uses.length === 0) continue;
    const next = request.history[index + 1] ?? null;
    const results = next?.content.filter(isToolResult) ?? [];
    const ids = new Set(uses.map(({ id }) => id));
    const answered = results.map((result) => result.tool_use_id);
    const lastResult = next?.content.findLastIndex(isToolResult) ?? -1;
    found.push({
      request,
      reply,
      index,
      uses,
      next,
      results,
      missing: uses.filter(({ id }) => !answered.includes(id)),
      foreign: results.filter((result) => !ids.has(result.tool_use_id)),
      repeated: [...ids].filter((id) => answered.filter((other) => other === id).length > 1),
      interrupted: next?.content.slice(0, lastResult + 1).some((block) => !isToolResult(block)) ?? false,
    });
  }
  return found;
}

/**
 * A tool result that no call of the message before it asked for, and why.
 * `unknown`: no reply ever gave that id.
 * The history holds the call: `again`, the result stands where it belongs and once more further down; `ahead`, and once more
 * further up, before its turn; `early`, only before its turn; `late`, only after it, and not in the very next message.
 * It does not: `cut`, its assistant turn was in an earlier request and is gone, or the history now begins with the result;
 * `text-only`, the message before it is an assistant turn without the calls; `part`, that turn holds others of the same reply; `renamed`, that turn holds the very call under
 * an id that the model never gave; `no-turn`, the reply that asked was never put in.
 */
export interface Orphan extends Exchange {
  result: ToolResultBlock;
  asked: Asked | null;
  why: "unknown" | "again" | "ahead" | "early" | "late" | "cut" | "text-only" | "part" | "renamed" | "no-turn";
}

/** The orphans of every request in which they are new, in order. */
export const orphans: (trace: Trace) => readonly Orphan[] = rememberList((trace: Trace) => {
  const all = exchanges(trace);
  const from = newFrom(trace);
  return all.flatMap((exchange, place) => {
    const before = all.slice(0, place).map(({ request }) => request);
    const asked = askedById(trace, exchange.request.seq);
    return orphansOf(exchange, from.get(exchange.request) ?? 0, before, asked);
  });
});

function orphansOf(
  exchange: Exchange,
  from: number,
  before: readonly RequestEvent[],
  asked: ReadonlyMap<string, Asked>,
): Orphan[] {
  const { history } = exchange.request;
  const found: Orphan[] = [];
  for (const [index, message] of history.entries()) {
    if (index < from || message.role !== "user") continue;
    const previous = history[index - 1];
    for (const result of message.content.filter(isToolResult)) {
      const id = result.tool_use_id;
      if (previous !== undefined && callsIn(previous).includes(id)) continue;
      const known = asked.get(id) ?? null;
      found.push({ ...exchange, result, asked: known, why: reason(id, known, index) });
    }
  }
  return found;

  function reason(id: string, known: Asked | null, index: number): Orphan["why"] {
    if (known === null) return "unknown";
    const turn = history.findIndex((message) => message.role === "assistant" && callsIn(message).includes(id));
    if (turn !== -1) {
      const answered = history.some(
        (message, place) =>
          message.role === "assistant" && callsIn(message).includes(id) && resultIds(history[place + 1]).includes(id),
      );
      if (answered) return turn < index ? "again" : "ahead";
      return turn < index ? "late" : "early";
    }
    const previous = history[index - 1];
    if (before.some((request) => request.history.some((message) => callsIn(message).includes(id)))) return "cut";
    if (previous === undefined) return startsAsBefore(exchange.request, before) ? "no-turn" : "cut";
    if (previous.role === "assistant" && callsIn(previous).length === 0) return "text-only";
    if (renamedIn(previous, known, asked) !== null) return "renamed";
    const isPart =
      previous.role === "assistant" && callsIn(previous).some((other) => asked.get(other)?.reply === known.reply);
    return isPart ? "part" : "no-turn";
  }
}

/** The block of a turn that is a call of the model's, by name and input, with an id that no call of the model's has. */
export function renamedIn(
  { role, content }: HistoryMessage,
  { key }: Asked,
  asked: ReadonlyMap<string, Asked>,
): ToolUseBlock | null {
  if (role !== "assistant") return null;
  const uses = content.filter(isToolUse);
  return uses.find(({ id, name, input }) => !asked.has(id) && key === keyOf(String(name), input)) ?? null;
}

function callsIn(message: HistoryMessage): string[] {
  return message.content.filter(isToolUse).map(({ id }) => id);
}

function resultIds(message: HistoryMessage | undefined): string[] {
  return message?.content.filter(isToolResult).map((result) => result.tool_use_id) ?? [];
}

/** Whether the first block of the conversation is still the one it began with. */
function startsAsBefore(request: RequestEvent, before: readonly RequestEvent[]): boolean {
  const first = before[0]?.history[0]?.content[0];
  return toJson(first) === toJson(request.history[0]?.content[0]);
}

/**
 * How the history of a request holds a reply that asked for calls: `whole` with at least one of its calls (by id, or by
 * name and input), `text` with its text alone, `absent` not at all.
 */
export function holding(scenario: Scenario, request: RequestEvent, reply: Delivered): "whole" | "text" | "absent" {
  const assistants = request.history.filter(({ role }) => role === "assistant");
  const uses = assistants.flatMap(({ content }) => content.filter(isToolUse));
  const asks = askedBy(reply);
  if (uses.some((use) => asks.some(({ id, key }) => id === use.id || key === keyOf(String(use.name), use.input))))
    return "whole";
  const marks = nonces(scenario, reply).text;
  const said = assistants.flatMap(({ content }) => content.filter(isText).map(({ text }) => String(text)));
  return marks.some((mark) => said.some((text) => text.includes(mark))) ? "text" : "absent";
}
