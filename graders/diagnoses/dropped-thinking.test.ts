import { script, thinksLast, twoTurns } from "../testing/scripts.ts";
import droppedThinking from "./dropped-thinking.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { attentively } from "./testing/stops.ts";

const call = (service: string) => ({ tool: "read_logs", input: { service }, does: { returns: "log {{nonce}}" } });
const thinks = script([
  { thinking: "The api first. {{nonce}}", text: "I will look. {{nonce}}", calls: [call("api")] },
  { thinking: "Now the db. {{nonce}}", redacted: "EroBCk", calls: [call("db")] },
  { text: "All is well. {{nonce}}" },
]);
const redacted = script([{ redacted: "EroBCk", calls: [call("api")] }, { text: "All is well. {{nonce}}" }]);
const pausesThinking = script([
  { thinking: "Somebody may know. {{nonce}}", text: "I am searching. {{nonce}}", stopReason: "pause_turn" },
  { text: "All is well. {{nonce}}" },
]);

type Blocks = readonly { type: string }[];
const keeping = (pass: (block: { type: string }) => boolean) => ({
  assistant: ({ content }: { content: Blocks }) => [{ role: "assistant", content: content.filter(pass) }],
});

lists(droppedThinking, {
  has: [
    {
      name: "text and calls alone are kept",
      agent: loop(keeping(({ type }) => type === "text" || type === "tool_use")),
      script: thinks,
      says: ["`thinking`", "`read_logs`", "toolu_", "está lo demás", "holds the rest"],
      found: ["dropped-thinking"],
    },
    {
      name: "the filter is in sight",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        for (;;) {
          const response = await callModel({ messages, tools });
          if (response.stop_reason !== "tool_use") return response;
          const kept = response.content.filter((block) => block.type !== "thinking");
          messages.push({ role: "assistant", content: kept });
          for (const block of kept) {
            if (block.type !== "tool_use") continue;
            const output = await executeTool(block.name, block.input);
            messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: block.id, content: output }] });
          }
        }
      },
      script: thinks,
      line: 12,
    },
    {
      name: "the calls alone",
      agent: loop(keeping(({ type }) => type === "tool_use")),
      script: thinks,
      says: ["ni tampoco lo que traía en `text`", "nor what the turn brought in `text`"],
      never: ["está lo demás", "holds the rest"],
    },
    {
      name: "what is encrypted is left out",
      agent: loop(keeping(({ type }) => type !== "redacted_thinking")),
      script: redacted,
      says: ["`redacted_thinking`"],
    },
    {
      name: "one of two, in a later turn",
      agent: loop(keeping(({ type }) => type !== "redacted_thinking")),
      script: thinks,
      says: ["`redacted_thinking`"],
    },
    {
      name: "of a paused turn",
      agent: loop({
        on: ({ stop_reason }) => stop_reason === "pause_turn",
        user: () => [],
        ...keeping(({ type }) => type !== "thinking"),
      }),
      script: pausesThinking,
      never: ["junto a la petición"],
    },
  ],
  hasNot: [
    ...honestly(thinks),
    ...honestly(redacted),
    ...honestly(script(thinksLast)),
    ...honestly(script(twoTurns)),
    ...attentively(thinks),
    {
      name: "the text is left out, the thinking is not",
      agent: loop(keeping(({ type }) => type !== "text")),
      script: thinks,
      headline: null,
    },
    {
      name: "older turns go without",
      agent: loop({
        request: ({ messages, tools }) => ({
          messages: messages.map((message, index) => {
            const { role, content } = message as { role: string; content: Blocks };
            const old = role === "assistant" && index < messages.length - 2;
            return old ? { role, content: content.filter(({ type }) => !type.includes("thinking")) } : message;
          }),
          tools,
        }),
      }),
      script: thinks,
      headline: null,
    },
    {
      name: "older turns are left out whole",
      agent: loop({
        request: ({ messages, tools }) => ({
          messages: messages.length > 3 ? [messages[0], ...messages.slice(-2)] : messages,
          tools,
        }),
      }),
      script: thinks,
      headline: null,
    },
    {
      name: "an altered block is another mistake",
      agent: loop({
        assistant: ({ content }) => [
          {
            role: "assistant",
            content: content.map((block) => (block.type === "thinking" ? { ...block, thinking: "…" } : block)),
          },
        ],
      }),
      script: thinks,
      headline: "rewritten-history",
    },
    {
      name: "without the call the turn is another mistake",
      agent: loop(keeping(({ type }) => type === "text")),
      script: thinks,
      headline: "text-only-history",
    },
  ],
});
