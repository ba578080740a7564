import { script, truncated, twoTurns } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { attentively } from "./testing/stops.ts";
import truncatedAsAnswer from "./truncated-as-answer.ts";

const text = ({ content }: { content: readonly { type: string }[] }) =>
  (content as readonly { text?: string }[]).map((block) => block.text ?? "").join("");

const call = { tool: "read_logs", input: { service: "api" }, does: { returns: "log {{nonce}}" } };
const later = [
  { text: "I will look. {{nonce}}", calls: [call] },
  { text: "The log says {{nonce}}", stopReason: "max_tokens" },
  { text: "The log says that all is well. {{nonce}}" },
];
/** It never gets to its end. */
const over = [{ text: "First {{nonce}}", stopReason: "max_tokens" }];

lists(truncatedAsAnswer, {
  has: [
    {
      name: "the text of the first reply",
      agent: loop({ answer: text }),
      script: script(truncated),
      ends: "returned",
      says: ["It is", "`max_tokens`", "1024"],
      found: ["truncated-as-answer"],
    },
    {
      name: "whatever is not a call counts as the end",
      agent: async ({ callModel, tools, userInput }) => {
        const response = await callModel({ messages: [{ role: "user", content: userInput }], tools });
        if (response.stop_reason !== "tool_use") return text(response);
        return null;
      },
      script: script(over),
      line: 9,
    },
    {
      name: "in an object, after a turn of tools",
      agent: loop({ answer: (response) => ({ answer: text(response) }) }),
      script: script(later),
      says: ["The log says"],
      found: ["truncated-as-answer"],
    },
    {
      name: "the text of every reply, the preamble too",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        let said = "";
        for (;;) {
          const { content, stop_reason } = await callModel({ messages, tools });
          said += text({ content });
          if (stop_reason !== "tool_use") return said;
          messages.push({ role: "assistant", content });
          const results = [];
          for (const block of content) {
            if (block.type !== "tool_use") continue;
            const output = await executeTool(block.name, block.input);
            results.push({ type: "tool_result", tool_use_id: block.id, content: output });
          }
          messages.push({ role: "user", content: results });
        }
      },
      script: script(later),
      found: ["truncated-as-answer"],
    },
    {
      name: "a message of the model's words alone",
      agent: loop({ answer: ({ role, content }) => ({ role, content }) }),
      script: script(over),
    },
    {
      name: "the beginning of a call, told by the words before it",
      agent: loop({ answer: text }),
      script: script([{ text: "I will look. {{nonce}}", calls: [call], stopReason: "max_tokens" }, ...later]),
      found: ["truncated-as-answer"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...attentively(script(truncated)),
    ...attentively(script(later)),
    { name: "a Message says why by its stop_reason", agent: loop({}), script: script(truncated), headline: null },
    {
      name: "a field beside the text says why",
      agent: loop({ answer: (response) => ({ answer: text(response), truncated: true }) }),
      script: script(truncated),
      headline: null,
    },
    {
      name: "the text itself says why",
      agent: loop({ answer: (response) => `${text(response)}… (respuesta cortada)` }),
      script: script(truncated),
      headline: null,
    },
    {
      name: "the beginning is given back though the rest was fetched",
      agent: async ({ callModel, userInput, tools }) => {
        const first = await callModel({ messages: [{ role: "user", content: userInput }], tools });
        await callModel({ messages: [{ role: "user", content: userInput }], tools, max_tokens: 4096 });
        return text(first);
      },
      script: script(truncated),
      headline: "answer-not-returned",
    },
    { name: "nothing is given back", agent: loop({ answer: () => undefined }), script: script(over), headline: null },
  ],
});
