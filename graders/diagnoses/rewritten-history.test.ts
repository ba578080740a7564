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
    {
      name: "its words, and then the whole turn",
      agent: loop({
        assistant: ({ content }) => [
          { role: "assistant", content: content.map((block) => (block.type === "text" ? block.text : "")).join("") },
          { role: "assistant", content },
        ],
      }),
      ends: "returned",
      says: ["`I will look.", "una sola vez", "only once", "`read_logs`"],
      never: ["en tu historial su turno dice"],
      found: ["rewritten-history"],
    },
    {
      name: "its block of text once more, behind the calls",
      agent: loop({
        assistant: ({ content }) => [
          { role: "assistant", content: [...content, ...content.filter(({ type }) => type === "text")] },
        ],
      }),
      found: ["rewritten-history"],
    },
    {
      name: "its words twice, in sight",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        let response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          const said = response.content.map((block) => (block.type === "text" ? block.text : "")).join("");
          messages.push({ role: "assistant", content: said });
          messages.push({ role: "assistant", content: response.content });
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const content = JSON.stringify(await executeTool(block.name, block.input));
            messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: block.id, content }] });
          }
          response = await callModel({ messages, tools });
        }
        return response;
      },
      line: 12,
    },
  ],
  hasNot: [
    {
      name: "the words in one message and the calls in the next",
      agent: loop({
        assistant: ({ content }) => [
          { role: "assistant", content: content.filter(({ type }) => type === "text") },
          { role: "assistant", content: content.filter(({ type }) => type !== "text") },
        ],
      }),
      headline: null,
    },
    {
      name: "the model's words are quoted in a message of the user's",
      agent: loop({
        user: (results, { content }) => [
          { role: "user", content: [...results, { type: "text", text: `You said: ${JSON.stringify(content)}` }] },
        ],
      }),
      headline: null,
    },
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
