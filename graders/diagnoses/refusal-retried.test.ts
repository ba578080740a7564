import { oneTurn, refusing, script } from "../testing/scripts.ts";
import refusalRetried from "./refusal-retried.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { attentively } from "./testing/stops.ts";

const once = script([oneTurn[0], { text: "No. {{nonce}}", stopReason: "refusal" }, { text: "Well then. {{nonce}}" }]);
const refused = ({ stop_reason }: { stop_reason: string }) => stop_reason === "refusal" || stop_reason === "tool_use";

/** It asks; when that is refused it asks once more, with what `second` makes of the request. */
const twice =
  (second: (request: Record<string, unknown>) => Record<string, unknown>) =>
  async ({
    callModel,
    userInput,
    tools,
  }: {
    callModel(request: Record<string, unknown>): Promise<{ stop_reason: string }>;
    userInput: string;
    tools: unknown;
  }) => {
    const request = { messages: [{ role: "user", content: userInput }], tools, system: "Be brief." };
    const first = await callModel(request);
    return first.stop_reason === "refusal" ? callModel(second(request)) : first;
  };
const refusedFirst = script([{ text: "No. {{nonce}}", stopReason: "refusal" }, { text: "Well then. {{nonce}}" }]);

lists(refusalRetried, {
  has: [
    {
      name: "the same request until it is stopped",
      agent: loop({ on: refused, assistant: () => [], user: () => [] }),
      script: script(refusing),
      ends: "retry-storm",
      says: ["9 veces más", "`claude-sonnet-5-5`"],
      found: ["refusal-retried"],
    },
    {
      name: "once more, and it is answered",
      agent: twice((request) => request),
      script: refusedFirst,
      ends: "returned",
      says: ["1 vez más", "1 more time"],
      found: ["refusal-retried"],
    },
    {
      name: "with more tokens and fewer tools: the prompt is the same",
      agent: twice(({ messages, system }) => ({ messages, system, max_tokens: 4096 })),
      script: refusedFirst,
    },
    {
      name: "the refusal is pushed and nothing after it, which the API rejects",
      agent: loop({ on: refused, user: (results) => (results.length > 0 ? [{ role: "user", content: results }] : []) }),
      script: once,
      ends: "threw",
    },
    {
      name: "the refusal is treated as a turn of tools: a message without results",
      agent: loop({ on: refused }),
      script: once,
      ends: "threw",
      found: ["refusal-retried"],
    },
  ],
  hasNot: [
    ...honestly(script(oneTurn)),
    ...attentively(script(refusing)),
    ...attentively(once),
    {
      name: "on another model",
      agent: twice((request) => ({ ...request, model: "claude-opus-5" })),
      script: refusedFirst,
      headline: null,
    },
    {
      name: "in other words",
      agent: twice((request) => ({ ...request, messages: [{ role: "user", content: "Only the service's name?" }] })),
      script: refusedFirst,
      headline: null,
    },
    {
      name: "with another system prompt",
      agent: twice((request) => ({ ...request, system: "You help an on-call engineer." })),
      script: refusedFirst,
      headline: null,
    },
    {
      name: "in new words each time, until it is stopped",
      agent: loop({
        on: refused,
        assistant: () => [],
        user: (_results, _response, turn) => [{ role: "user", content: `Please, for the ${turn}th time` }],
      }),
      script: script(refusing),
      ends: "retry-storm",
      headline: "retry-storm",
    },
  ],
});
