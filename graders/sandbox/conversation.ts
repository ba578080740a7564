/** The parent's side of one run: it plays the model and the tools, and writes down everything that happens. */
import { encode } from "../model/encoding.ts";
import { effectiveHistory, effectiveTools } from "../model/history.ts";
import { answer } from "../model/model.ts";
import { rebuildThread } from "../model/threads.ts";
import { runTool } from "../model/tools.ts";
import type { ReplyEvent, RequestEvent, Spot, Trace, TraceEvent } from "../trace/events.ts";
import type { Counts } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Down, Up } from "./protocol.ts";

/** Hosts and path of the Messages API; every other request is none of the model's. */
const MODEL_HOST = "api.anthropic.com";
const MODEL_PATH = "/v1/messages";

type Distribute<T> = T extends TraceEvent ? Omit<T, "seq" | "turn"> : never;
type NewEvent = Distribute<TraceEvent>;

export interface Conversation {
  trace: Trace;
  add(event: NewEvent): void;
  /** Answers a request; null when nothing must be answered because the run has just been ended. */
  http(message: Extract<Up, { t: "http" }>, at: Spot | null): Down;
  tool(message: Extract<Up, { t: "tool" }>, at: Spot | null): Down;
  counts(): Counts;
}

/**
 * @param scenario what the model says and what the tools do
 */
export function converse(scenario: Scenario): Conversation {
  const trace: TraceEvent[] = [];
  let turn = 0;
  let calls = 0;

  const add = (event: NewEvent): TraceEvent => {
    const full = { seq: trace.length, turn, ...event } as TraceEvent;
    trace.push(full);
    return full;
  };

  return {
    trace,
    add,
    http: (message, at) => {
      const { id } = message;
      const url = parseUrl(message.url);
      if (url?.host !== MODEL_HOST) {
        add({ type: "blocked", what: "network", detail: `${message.method} ${url?.host ?? message.url}`, at });
        return { t: "refused", id };
      }
      if (message.method !== "POST" || url.pathname.replace(/\/$/, "") !== MODEL_PATH) {
        return { t: "http", id, status: 404, headers: { "content-type": "application/json" }, body: NOT_FOUND };
      }
      const body = parse(message.body);
      const whole = rebuildThread(trace, body);
      const request = add({
        type: "request",
        body,
        history: effectiveHistory(whole),
        tools: effectiveTools(whole),
        attempt: 1 + (Number(message.headers["x-stainless-retry-count"]) || 0),
        at,
      });
      const reply = answer(scenario, trace.slice(0, -1), body);
      if (reply.kind === "message") turn += 1;
      const { status, kind, error, entry, next, complete, final } = reply;
      add({
        type: "reply",
        request: request.seq,
        status,
        kind,
        message: reply.message,
        error,
        entry,
        next,
        complete,
        final,
      });
      return { t: "http", id, ...encode(reply, body) };
    },
    tool: ({ id, name, input }, at) => {
      const { answers, behaviour } = runTool(scenario, trace, name, input);
      calls += 1;
      const call = calls;
      add({ type: "tool-call", call, name, input, answers, at });
      const { takesMs } = behaviour;
      switch (behaviour.kind) {
        case "hangs":
          add({ type: "tool-result", call, outcome: { kind: "hung" } });
          return { t: "never", id };
        case "throws":
          add({ type: "tool-result", call, outcome: { kind: "error", message: behaviour.message } });
          return { t: "tool", id, afterMs: takesMs, error: behaviour.message };
        case "returns":
          add({
            type: "tool-result",
            call,
            outcome: { kind: "value", value: behaviour.value, nonce: behaviour.nonce },
          });
          return { t: "tool", id, afterMs: takesMs, value: behaviour.value };
      }
    },
    counts: () => countsOf(trace),
  };
}

/** What the trace amounts to, in numbers. */
export function countsOf(trace: Trace): Counts {
  const replies = trace.filter((event): event is ReplyEvent => event.type === "reply");
  const requests = trace.filter((event): event is RequestEvent => event.type === "request");
  const lastAnswered = replies.findLast((reply) => reply.kind === "message");
  const itsRequest = requests.find((request) => request.seq === lastAnswered?.request);
  return {
    callModel: replies.filter((reply) => reply.kind === "message").length,
    executeTool: trace.filter((event) => event.type === "tool-call").length,
    httpRequests: requests.length,
    rejected: replies.filter((reply) => reply.kind === "rejection").length,
    faulted: replies.filter((reply) => reply.kind === "fault").length,
    messages: itsRequest ? itsRequest.history.length + 1 : 0,
  };
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const NOT_FOUND = JSON.stringify({
  type: "error",
  error: { type: "not_found_error", message: "Not Found" },
  request_id: null,
});
