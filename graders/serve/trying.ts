/**
 * A conversation with the scripted model, for trying an agent by hand: every exchange is told as it happens, and what is
 * known to be wrong once the script is through. A program that is run again gets a conversation of its own.
 */
import { diagnose, stopWhen } from "../diagnoses/catalog/catalog.ts";
import { exchanges } from "../diagnoses/find/requests.ts";
import { holdsAnything } from "../diagnoses/find/restarts.ts";
import { type Conversation, converse } from "../model/conversation.ts";
import { effectiveHistory, member } from "../model/history.ts";
import { type HttpRequest, respond } from "../model/http.ts";
import { isToolUse } from "../trace/api.ts";
import { countsOf } from "../trace/counts.ts";
import type { ReplyEvent, RequestEvent, TraceEvent } from "../trace/events.ts";
import type { Counts, Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Text } from "../trace/text.ts";
import type { Answering } from "./server.ts";

/** What is told, as data. What comes from the program that is tried is untrusted. */
export type Happening =
  | { event: "request"; conversation: number; turn: number; messages: number; tools: string[]; results: Result[] }
  | {
      event: "reply";
      status: number;
      kind: ReplyEvent["kind"];
      stopReason: string | null;
      text: string;
      calls: { name: string; input: unknown }[];
      error: { type: string; message: string } | null;
      /** A stream that broke off. */
      broke: "error" | "cut" | null;
      final: boolean;
    }
  | { event: "count"; status: number }
  | { event: "elsewhere"; method: string; path: string }
  /** `over`: the script is through. `stopped`: enough has been seen of a loop; it is not answered any more. */
  | { event: "found"; why: "over" | "stopped" | "left"; findings: Found[] }
  | { event: "end"; conversations: number; counts: Omit<Counts, "messages"> };

export interface Result {
  name: string;
  isError: boolean;
  content: string;
}

export interface Found {
  id: string;
  weight: "fault" | "advice";
  turn: number;
  headline: Text;
}

export interface Trial {
  answer: Answering;
  /** Tells what has not been told, and what was counted. */
  end(): void;
}

/** @param tell told of everything, in order */
export function tryOut(scenario: Scenario, tell: (happening: Happening) => void): Trial {
  let talk = converse(scenario, "results");
  let state: "open" | "over" | "stopped" = "open";
  const before: Counts[] = [];

  const found = (why: "over" | "stopped" | "left", kind: string | null) =>
    tell({ event: "found", why, findings: findingsSoFar(scenario, talk, kind) });

  return {
    answer: (request) => {
      const body = isAsked(request) ? parse(request.body) : undefined;
      if (isFirst(scenario, talk, body) && (state !== "open" || isRunAgain(scenario, talk, body))) {
        if (state === "open") found("left", null);
        before.push(countsOf(talk.trace));
        talk = converse(scenario, "results");
        state = "open";
      }
      if (state === "stopped" && isAsked(request)) return null;
      const seen = talk.trace.length;
      const answered = respond(talk, request);
      const events = talk.trace.slice(seen);
      for (const happening of happenings(events, request, before.length + 1, answered.status)) tell(happening);

      const kind = state === "stopped" ? null : stopWhen(talk.trace, scenario, { cap: null });
      if (kind !== null) {
        state = "stopped";
        found("stopped", kind);
        return null;
      }
      if (state === "open" && events.some((event) => event.type === "reply" && event.final)) {
        state = "over";
        found("over", null);
      }
      return answered;
    },
    end: () => {
      const asked = talk.trace.some((event) => event.type === "request");
      if (state === "open" && asked) found("left", null);
      const all = [...before, countsOf(talk.trace)];
      const sum = (name: keyof Counts) => all.reduce((total, counts) => total + counts[name], 0);
      tell({
        event: "end",
        conversations: before.length + (asked ? 1 : 0),
        counts: {
          callModel: sum("callModel"),
          executeTool: sum("executeTool"),
          httpRequests: sum("httpRequests"),
          rejected: sum("rejected"),
          faulted: sum("faulted"),
        },
      });
    },
  };
}

function isAsked({ method, path }: HttpRequest): boolean {
  return method === "POST" && /^\/v1\/messages\/?$/.test(path);
}

/** Whether a body begins a conversation: it holds nothing that the model or a tool has said in this one. */
function isFirst(scenario: Scenario, { trace }: Conversation, body: unknown): boolean {
  const history = effectiveHistory(body);
  if (history.length === 0 || member(member(body, "thread"), "type") === "continue") return false;
  const around = { seq: trace.length, turn: 0, tools: [], attempt: 1, at: null };
  const request: RequestEvent = { type: "request", body, history, ...around };
  return !holdsAnything(trace, scenario, request);
}

/**
 * Whether it is the program that began anew, and not its loop: the conversation had gone on already, or had failed and is
 * tried in another way. A loop that forgets its history sends the same beginning again and again.
 */
function isRunAgain(scenario: Scenario, { trace }: Conversation, body: unknown): boolean {
  const last = exchanges(trace).at(-1);
  if (last === undefined) return false;
  if (holdsAnything(trace, scenario, last.request)) return true;
  return last.reply?.kind === "rejection" && JSON.stringify(body) !== JSON.stringify(last.request.body);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function* happenings(
  events: readonly TraceEvent[],
  { method, path }: HttpRequest,
  conversation: number,
  status: number,
): Generator<Happening> {
  if (events.length === 0) return yield { event: "elsewhere", method, path };
  for (const event of events) {
    if (event.type === "count-tokens") yield { event: "count", status };
    if (event.type === "request") {
      const { turn, history, tools } = event;
      const results = resultsIn(events);
      yield { event: "request", conversation, turn: turn + 1, messages: history.length, tools, results };
    }
    if (event.type === "reply") yield replied(event);
  }
}

/** The results that this request has brought: each is told when it arrives first. */
function resultsIn(events: readonly TraceEvent[]): Result[] {
  return events.flatMap((event) => {
    if (event.type !== "tool-call") return [];
    const result = events.find((other) => other.type === "tool-result" && other.call === event.call);
    if (result?.type !== "tool-result" || result.outcome.kind === "hung") return [];
    const { outcome } = result;
    const content = outcome.kind === "error" ? outcome.message : outcome.value;
    return [{ name: event.name, isError: outcome.kind === "error", content: asText(content) }];
  });
}

/** A result's content as text: its text blocks, where it is a list of them. */
function asText(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = Array.isArray(content) ? content.map((block) => member(block, "text")) : [];
  return texts.length > 0 && texts.every((text) => typeof text === "string")
    ? texts.join("\n")
    : (JSON.stringify(content) ?? "");
}

function replied({ status, kind, message, error, broke, final }: ReplyEvent): Happening {
  const content = (message ?? broke?.begun)?.content ?? [];
  return {
    event: "reply",
    status,
    kind,
    stopReason: message?.stop_reason ?? null,
    text: content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" "),
    calls: content.filter(isToolUse).map(({ name, input }) => ({ name, input })),
    error: error && { type: error.type, message: error.message },
    broke: broke?.how ?? null,
    final,
  };
}

/**
 * What is known to be wrong in a conversation so far. How the program ends cannot be seen from here: nothing is said of it.
 * @param kind what it was stopped for; null where it goes on
 */
function findingsSoFar(scenario: Scenario, { trace }: Conversation, kind: string | null): Found[] {
  const run: Run = {
    scenario,
    beside: [],
    trace,
    outcome: kind === null ? "returned" : "looped",
    kind,
    at: null,
    error: null,
    measured: {},
    counts: countsOf(trace),
    printed: { head: [], tail: [], omittedLines: 0 },
    source: { files: [] },
    ms: 0,
  };
  return diagnose(run).map(({ id, weight, turn, headline }) => ({ id, weight, turn, headline }));
}
