import { script, twoTurns } from "../testing/scripts.ts";
import rewrittenHistory from "./rewritten-history.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const withThinking = script([
  {
    thinking: "Hm. {{nonce}}",
    text: "I will look. {{nonce}}",
    calls: [{ tool: "read_logs", input: { service: "api" }, does: { returns: "log {{nonce}}" } }],
  },
  { text: "All is well. {{nonce}}" },
]);

lists(rewrittenHistory, {
  has: [
    {
      name: "a call's input is changed",
      agent: loop({
        assistant: ({ content }) => [
          {
            role: "assistant",
            content: content.map((block) =>
              block.type === "tool_use" ? { ...block, input: { service: "db" } } : block,
            ),
          },
        ],
      }),
      says: ['{"service":"api"}', '{"service":"db"}'],
    },
    {
      name: "a preamble is cut short",
      agent: loop({
        assistant: ({ content }) => [
          {
            role: "assistant",
            content: content.map((block) => (block.type === "text" ? { ...block, text: block.text.slice(7) } : block)),
          },
        ],
      }),
      says: ["I will look."],
    },
    {
      name: "a thinking block is edited",
      agent: loop({
        assistant: ({ content }) => [
          {
            role: "assistant",
            content: content.map((block) => (block.type === "thinking" ? { ...block, thinking: "…" } : block)),
          },
        ],
      }),
      script: withThinking,
      says: ["`thinking`"],
    },
    {
      name: "the turn is pushed twice",
      agent: loop({
        assistant: ({ content }) => [
          { role: "assistant", content },
          { role: "assistant", content },
        ],
      }),
      says: ["dos veces", "must be unique"],
    },
    {
      name: "the call comes back under an id of its own, and its result does not",
      agent: loop({
        assistant: ({ content }) => [
          {
            role: "assistant",
            content: content.map((block) => (block.type === "tool_use" ? { ...block, id: `${block.id}x` } : block)),
          },
        ],
      }),
      says: ["esa misma llamada con otro id", "that same call under another id", "`read_logs`"],
      never: ["nadie pidió nada", "nobody asked"],
      found: ["rewritten-history"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...honestly(withThinking),
    {
      name: "blocks copied field by field",
      agent: loop({
        assistant: ({ content }) => [
          {
            role: "assistant",
            content: content.map((block) =>
              block.type === "tool_use"
                ? { type: block.type, id: block.id, name: block.name, input: block.input }
                : { type: "text", text: (block as { text: string }).text },
            ),
          },
        ],
      }),
      headline: null,
    },
    {
      name: "an older turn is left out",
      agent: loop({
        request: ({ messages, tools }) => ({
          messages: messages.length > 3 ? [messages[0], ...messages.slice(-2)] : messages,
          tools,
        }),
      }),
      headline: null,
    },
  ],
});
