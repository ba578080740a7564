/** The parent's side of one run: it plays the model and the tools, and writes down everything that happens. */
import { converse, type NewEvent, type ToolsSeen } from "../model/conversation.ts";
import { respond } from "../model/http.ts";
import { countsOf } from "../trace/counts.ts";
import type { Spot, Trace } from "../trace/events.ts";
import type { Counts } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Down, Up } from "./protocol.ts";

/** Host of the Messages API; every other request is none of the model's. */
const MODEL_HOST = "api.anthropic.com";

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
 * @param toolsSeen how it is known that a tool has run; by the calls that come up when left out
 */
export function wire(scenario: Scenario, toolsSeen?: ToolsSeen): Wire {
  const talk = converse(scenario, toolsSeen);
  /** Numbers of the tool calls, by the child's own. */
  const numbers = new Map<number, number>();
  return {
    trace: talk.trace,
    add: (event) => void talk.add(event),
    http: (message, at) => {
      const { id, method, headers, body } = message;
      const url = parseUrl(message.url);
      if (url?.host !== MODEL_HOST) {
        talk.add({ type: "blocked", what: "network", detail: `${method} ${url?.host ?? message.url}`, at });
        return { t: "refused", id };
      }
      const underWay = message.underWay.flatMap((asked) => numbers.get(asked) ?? []);
      return { t: "http", id, ...respond(talk, { method, path: url.pathname, headers, body, underWay }, at) };
    },
    tool: ({ id, name, input, standIn }, at) => {
      const behaviour = talk.run(name, input, at, standIn);
      numbers.set(id, numbers.size + 1);
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
