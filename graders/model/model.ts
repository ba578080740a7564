import type {
  ApiError,
  ApiMessage,
  HistoryMessage,
  ReplyBlock,
  ServerToolResultBlock,
  TextBlock,
  ToolUseBlock,
} from "../trace/api.ts";
import type { ReplyEvent, Trace } from "../trace/events.ts";
import type { Entry, FaultEntry, ReplyEntry, Scenario, ScriptBlock } from "../trace/scenario.ts";
import type { Text } from "../trace/text.ts";
import { effectiveHistory, effectiveTools, member } from "./history.ts";
import { createNonces, noncesIn, PLACES } from "./nonce.ts";
import { reject } from "./rules/reject.ts";
import { isComplete, runSeed } from "./scenario.ts";
import { createRandom, type Random } from "./seed.ts";
import { rebuildThread } from "./threads.ts";

/** What the model answers: all of a `reply` event but its place in the run, and the headers to send with it. */
export interface Answer extends Omit<ReplyEvent, "type" | "seq" | "turn" | "request"> {
  headers: Record<string, string>;
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
export function answer(scenario: Scenario, trace: Trace, { body }: Sent): Answer {
  const streamed = member(body, "stream") === true;
  const whole = rebuildThread(trace, body);
  const past = trace.filter((event): event is ReplyEvent => event.type === "reply");
  const next = nextEntry(scenario, past, effectiveHistory(whole));
  const random = createRandom(`${runSeed(scenario)}/reply/${past.length}`);
  const requestId = { "request-id": `req_011C${random.token(20)}` };

  const rejection = reject(whole);
  if (rejection) {
    // A rejected request consumes no turn: the script stays where the history has it.
    const headers = { ...requestId, "x-should-retry": "false" };
    return {
      ...failure("rejection", rejection.status, rejection.error),
      entry: null,
      next,
      complete: false,
      streamed,
      headers,
    };
  }

  const entry = scenario.entry(next);
  if (entry.kind === "fault") {
    const headers = { ...requestId, ...retryAfter(entry) };
    return {
      ...failure("fault", entry.status, entry.error),
      entry: next,
      next: next + 1,
      complete: false,
      streamed,
      headers,
    };
  }

  const reply = canBeSaid(entry, scenario, effectiveTools(whole)) ? entry : null;
  const message = createMessage(reply ?? withoutTools(scenario, past.length), scenario, whole, random);
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
function latestContained(
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
  return { status, kind, message: null, error, broke: null, final: false } as const;
}

function retryAfter({ retryAfterMs }: FaultEntry): Record<string, string> {
  return retryAfterMs === null ? {} : { "retry-after-ms": String(retryAfterMs) };
}

/** A message with every key that the API sends. */
function createMessage(entry: ReplyEntry, scenario: Scenario, body: unknown, random: Random): ApiMessage {
  const content = entry.content.flatMap((block) => writeBlock(block, entry.stopReason === "pause_turn", random));
  const model = member(body, "model");
  const sequences = member(body, "stop_sequences");
  return {
    id: `msg_01${random.token(22)}`,
    type: "message",
    role: "assistant",
    model: typeof model === "string" ? model : "claude-sonnet-5-5",
    content,
    stop_reason: entry.stopReason,
    stop_sequence: entry.stopReason === "stop_sequence" ? firstText(sequences) : null,
    stop_details: entry.stopReason === "refusal" ? { type: "refusal", category: null, explanation: null } : null,
    container: null,
    diagnostics: null,
    usage: {
      input_tokens: countTokens(body),
      output_tokens: Math.max(2, countTokens(content)),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens_details: null,
      server_tool_use: null,
      service_tier: "standard",
      inference_geo: null,
      speed: null,
    },
  };
}

function writeBlock(block: ScriptBlock, paused: boolean, random: Random): ReplyBlock[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text, citations: null } as TextBlock];
    case "thinking":
      return [{ type: "thinking", thinking: block.thinking, signature: `Er${random.token(118)}==` }];
    case "redacted_thinking":
      return [{ type: "redacted_thinking", data: block.data }];
    case "search": {
      const id = `srvtoolu_01${random.token(22)}`;
      const caller = { type: "direct" };
      const asked = { type: "server_tool_use" as const, id, name: "web_search", input: { query: block.query }, caller };
      return paused ? [asked] : [asked, searchResult(id, block.finds)];
    }
    case "tool_use": {
      // A copy: what goes into the trace is nobody's to change.
      const input = structuredClone(block.input);
      const id = `toolu_01${random.token(22)}`;
      return [{ type: "tool_use", id, name: block.name, input, caller: { type: "direct" } } as ToolUseBlock];
    }
  }
}

function searchResult(tool_use_id: string, finds: string): ServerToolResultBlock {
  const page = {
    type: "web_search_result",
    url: "https://example.com/",
    title: finds,
    encrypted_content: "Ev0",
    page_age: null,
  };
  return { type: "web_search_tool_result", tool_use_id, content: [page] };
}

function firstText(list: unknown): string | null {
  return Array.isArray(list) ? (list.find((item) => typeof item === "string") ?? null) : null;
}

/** About a token for every four characters of JSON. Walks with a list of its own: bodies may be nested deeper than the stack. */
function countTokens(value: unknown): number {
  let characters = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part === "string") characters += part.length + 2;
    else if (Array.isArray(part)) for (const child of part) open.push(child);
    else if (typeof part === "object" && part !== null) {
      for (const key of Object.keys(part)) {
        characters += key.length + 4;
        open.push(member(part, key));
      }
    } else characters += 4;
  }
  return Math.ceil(characters / 4);
}
