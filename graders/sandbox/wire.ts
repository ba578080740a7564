/** The parent's side of one run: it plays the model and the tools, and writes down everything that happens. */
import { converse, type NewEvent } from "../model/conversation.ts";
import { encode } from "../model/encoding.ts";
import { countsOf } from "../trace/counts.ts";
import type { Spot, Trace } from "../trace/events.ts";
import type { Counts } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Down, Up } from "./protocol.ts";

/** Hosts and path of the Messages API; every other request is none of the model's. */
const MODEL_HOST = "api.anthropic.com";
const MODEL_PATH = "/v1/messages";

export interface Wire {
  trace: Trace;
  add(event: NewEvent): void;
  /** Answers a request. */
  http(message: Extract<Up, { t: "http" }>, at: Spot | null): Down;
  tool(message: Extract<Up, { t: "tool" }>, at: Spot | null): Down;
  counts(): Counts;
}

/**
 * @param scenario what the model says and what the tools do
 */
export function wire(scenario: Scenario): Wire {
  const talk = converse(scenario);
  return {
    trace: talk.trace,
    add: (event) => void talk.add(event),
    http: (message, at) => {
      const { id, headers } = message;
      const url = parseUrl(message.url);
      if (url?.host !== MODEL_HOST) {
        talk.add({ type: "blocked", what: "network", detail: `${message.method} ${url?.host ?? message.url}`, at });
        return { t: "refused", id };
      }
      if (message.method !== "POST" || url.pathname.replace(/\/$/, "") !== MODEL_PATH) {
        return { t: "http", id, status: 404, headers: { "content-type": "application/json" }, body: NOT_FOUND };
      }
      const body = parse(message.body);
      const attempt = 1 + (Number(headers["x-stainless-retry-count"]) || 0);
      return { t: "http", id, ...encode(talk.send({ body, headers, attempt, at }), body) };
    },
    tool: ({ id, name, input }, at) => {
      const behaviour = talk.run(name, input, at);
      const { takesMs: afterMs } = behaviour;
      if (behaviour.kind === "hangs") return { t: "never", id };
      if (behaviour.kind === "throws") return { t: "tool", id, afterMs, error: behaviour.message };
      return { t: "tool", id, afterMs, value: behaviour.value };
    },
    counts: () => countsOf(talk.trace),
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
