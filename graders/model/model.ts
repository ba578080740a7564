import type { ApiError, HistoryMessage } from "../trace/api.ts";
import type { ReplyEvent, Trace } from "../trace/events.ts";
import type { Entry, FaultEntry, ReplyEntry, Scenario } from "../trace/scenario.ts";
import type { Text } from "../trace/text.ts";
import { effectiveHistory, effectiveTools, member } from "./history.ts";
import { createNonces, noncesIn, PLACES } from "./nonce.ts";
import { inputTokens, pendingSearch, writeMessage } from "./reply.ts";
import { reject, rejectCount } from "./rules/reject.ts";
import type { Rejection } from "./rules/rule.ts";
import { isComplete, replyAfter, runSeed } from "./scenario.ts";
import { createRandom } from "./seed.ts";
import { breakOff, type StreamEvent, streamOf } from "./stream.ts";
import { isLost, rebuildThread } from "./threads.ts";

/** What the model answers: all of a `reply` event but its place in the run, and how to send it. */
export interface Answer extends Omit<ReplyEvent, "type" | "seq" | "turn" | "request"> {
  headers: Record<string, string>;
  /** What goes out where the answer is a stream; null where it is one piece of JSON. */
  events: readonly StreamEvent[] | null;
}

/** A request as it arrived. */
export interface Sent {
  /** Untrusted: anything may be in it; undefined where it was no JSON. */
  body: unknown;
  /** Lower-case names; left out where there are none to judge. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * The model's answer to a request, by the script and by what it has already said in this run.
 * Pure: the same arguments give the same answer, ids included. Takes any body and never throws.
 * @param trace the run so far: its `reply` events say what was delivered; it may already hold this request
 */
export function answer(scenario: Scenario, trace: Trace, sent: Sent): Answer {
  const { body } = sent;
  const streamed = member(body, "stream") === true;
  const whole = rebuildThread(trace, body);
  const history = effectiveHistory(whole);
  const past = trace.filter((event): event is ReplyEvent => event.type === "reply");
  const next = nextEntry(scenario, past, history);
  const random = createRandom(`${runSeed(scenario)}/reply/${past.length}`);
  const requestId = { "request-id": `req_011C${random.token(20)}` };

  const rejection = refusalOf(scenario, trace, sent);
  if (rejection) {
    // A rejected request consumes no turn: the script stays where the history has it.
    const headers = { ...requestId, "x-should-retry": "false" };
    return { ...failure("rejection", rejection.status, rejection.error), entry: null, next, streamed, headers };
  }

  const pending = pendingSearch(scenario, past, history);
  const compose = (entry: ReplyEntry) => {
    const reply = canBeSaid(entry, scenario, effectiveTools(whole)) ? entry : null;
    return {
      reply,
      message: writeMessage(reply ?? withoutTools(scenario, past.length), scenario, whole, random, pending),
    };
  };
  const cuts = createRandom(`${runSeed(scenario)}/stream/${past.length}`);

  const entry = scenario.entry(next);
  if (entry.kind === "fault") {
    const fault = { ...failure("fault", entry.status, entry.error), entry: next, next: next + 1, streamed };
    const begins = scenario.entry((streamed ? replyAfter(scenario, next) : null) ?? next);
    if (entry.when === "at-once" || begins.kind === "fault")
      return { ...fault, headers: { ...requestId, ...retryAfter(entry) } };
    const { sent, begun } = breakOff(streamOf(compose(begins).message, scenario.tools, cuts), cuts);
    const told = entry.when === "mid-stream";
    const error = { type: "error", error: { details: null, ...entry.error }, request_id: requestId["request-id"] };
    return {
      ...fault,
      // All was well when the stream began, and its status had gone out.
      status: 200,
      error: told ? entry.error : null,
      broke: { begun, how: told ? "error" : "cut" },
      events: told ? [...sent, error] : sent,
      headers: requestId,
    };
  }

  const { reply, message } = compose(entry);
  return {
    status: 200,
    kind: "message",
    message,
    error: null,
    streamed,
    broke: null,
    entry: reply ? next : null,
    next: reply ? next + 1 : next,
    complete: reply ? isComplete(reply) : true,
    final: reply !== null && scenario.endlessFrom === null && next === scenario.length - 1,
    headers: requestId,
    events: streamed ? streamOf(message, scenario.tools, cuts) : null,
  };
}

/** What the API refuses a request of this run for; null for a legal one. */
export function refusalOf(scenario: Scenario, trace: Trace, { body, headers }: Sent): Rejection | null {
  const past = trace.filter((event): event is ReplyEvent => event.type === "reply");
  return reject(rebuildThread(trace, body), {
    headers,
    delivered: past.map(({ message, broke }) => (message ?? broke?.begun)?.content ?? []),
    lostThread: isLost(trace, body),
    uncertain: scenario.uncertain,
  });
}

/** What the API answers when a conversation is only to be counted. */
export interface Count {
  status: number;
  headers: Record<string, string>;
  body: { input_tokens: number } | { type: "error"; error: ApiError; request_id: string };
}

/**
 * How many tokens a request would give the model to read: as many as the reply to it would say. No turn of the script.
 * Takes any body and never throws.
 * @param trace the run so far, without this request
 */
export function count(scenario: Scenario, trace: Trace, { body, headers: sentHeaders }: Sent): Count {
  const earlier = trace.filter((event) => event.type === "count-tokens").length;
  const id = `req_011C${createRandom(`${runSeed(scenario)}/count/${earlier}`).token(20)}`;
  const rejection = rejectCount(body, { headers: sentHeaders });
  if (!rejection) return { status: 200, headers: { "request-id": id }, body: { input_tokens: inputTokens(body) } };
  return {
    status: rejection.status,
    headers: { "request-id": id, "x-should-retry": "false" },
    body: { type: "error", error: rejection.error, request_id: id },
  };
}

/**
 * Index of the entry that follows, as a stateless model reads it from the history: the one after the latest delivered
 * reply that the history still contains, else the first. Consumed faults are skipped, and replies that were not complete
 * and have been delivered since. Past the end of a script it is the last reply again.
 */
function nextEntry(scenario: Scenario, past: readonly ReplyEvent[], history: readonly HistoryMessage[]): number {
  const anchor = latestContained(scenario, past, history);
  const consumed = new Set<number>();
  for (const reply of past) {
    if (reply.entry === null || reply.complete) continue;
    if (reply.kind === "fault" || !anchor || reply.seq > anchor.seq) consumed.add(reply.entry);
  }
  let next = anchor?.next ?? 0;
  while (consumed.has(next)) next++;
  return scenario.endlessFrom === null ? Math.min(next, scenario.length - 1) : next;
}

/**
 * The latest delivered reply that the history contains, by any of its tool_use ids, else by a nonce of its text.
 * A nonce is the entry's, not the delivery's: of several deliveries of one entry it means the first, so that a later
 * conversation about the same things never pulls this one back.
 */
export function latestContained(
  scenario: Scenario,
  past: readonly ReplyEvent[],
  history: readonly HistoryMessage[],
): ReplyEvent | null {
  const { ids, nonces } = marksOf(history);
  const found = new Map<string, ReplyEvent>();
  const delivered = past.filter((reply) => reply.message !== null);
  // A reply outside the script is an entry of its own.
  const keyOf = (reply: ReplyEvent) => (reply.entry === null ? `outside ${reply.seq}` : String(reply.entry));

  for (const reply of delivered) if (callIdsOf(reply).some((id) => ids.has(id))) found.set(keyOf(reply), reply);
  for (const reply of delivered) {
    if (!found.has(keyOf(reply)) && noncesOf(scenario, reply).some((nonce) => nonces.has(nonce))) {
      found.set(keyOf(reply), reply);
    }
  }
  return [...found.values()].reduce<ReplyEvent | null>((a, b) => (a && a.seq > b.seq ? a : b), null);
}

/** What a history shows of past replies: ids of tool_use blocks, and nonces in text or thinking, whoever is said to have spoken. */
function marksOf(history: readonly HistoryMessage[]): { ids: Set<string>; nonces: Set<string> } {
  const ids = new Set<string>();
  const nonces = new Set<string>();
  for (const block of history.flatMap((message) => message.content)) {
    const id = block.type === "tool_use" ? member(block, "id") : null;
    if (typeof id === "string") ids.add(id);
    const text = block.type === "text" || block.type === "thinking" ? member(block, block.type) : null;
    if (typeof text === "string") for (const nonce of noncesIn(text)) nonces.add(nonce);
  }
  return { ids, nonces };
}

function callIdsOf(reply: ReplyEvent): string[] {
  return (reply.message?.content ?? []).filter((block) => block.type === "tool_use").map((block) => block.id);
}

function noncesOf(scenario: Scenario, reply: ReplyEvent): string[] {
  // A text of ours holds its nonce and nothing like it.
  if (reply.entry === null) {
    return (reply.message?.content ?? []).flatMap((block) => (block.type === "text" ? noncesIn(block.text) : []));
  }
  const entry = scenario.entry(reply.entry);
  return entry.kind === "fault"
    ? []
    : entry.content.flatMap((block) => (block.type === "text" || block.type === "thinking" ? [block.nonce] : []));
}

/** A model asks for no tool it was not offered; one that does not exist anywhere it makes up, if it was offered any. */
function canBeSaid(entry: Entry, scenario: Scenario, offered: readonly string[]): boolean {
  if (entry.kind === "fault") return true;
  const calls = entry.content.filter((block) => block.type === "tool_use");
  const exists = (name: string) => scenario.tools.some((tool) => tool.name === name);
  return (
    calls.length === 0 || (offered.length > 0 && calls.every(({ name }) => offered.includes(name) || !exists(name)))
  );
}

function withoutTools(scenario: Scenario, replies: number): ReplyEntry {
  const nonce = createNonces(runSeed(scenario))(PLACES.outside + replies);
  const text = `${WITHOUT_TOOLS[scenario.lang]} (${nonce})`;
  return { kind: "reply", content: [{ type: "text", text, nonce }], stopReason: "end_turn" };
}

const WITHOUT_TOOLS: Text = {
  es: "En esta petición no tengo las herramientas que necesito, así que la tarea queda sin terminar.",
  en: "This request does not offer me the tools I need, so the task stays unfinished.",
};

function failure(kind: "rejection" | "fault", status: number, error: ApiError) {
  return { status, kind, message: null, error, broke: null, final: false, complete: false, events: null } as const;
}

/** The API's own header counts seconds; the SDK looks for one in milliseconds first, so that nobody waits for long. */
function retryAfter({ retryAfterMs }: FaultEntry): Record<string, string> {
  if (retryAfterMs === null) return {};
  return { "retry-after": String(Math.ceil(retryAfterMs / 1000)), "retry-after-ms": String(retryAfterMs) };
}
