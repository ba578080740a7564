import { oneTurn, script, truncated } from "../testing/scripts.ts";
import contextWindowAsAnswer from "./context-window-as-answer.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { attentively } from "./testing/stops.ts";

const text = ({ content }: { content: readonly { type: string }[] }) =>
  (content as readonly { text?: string }[]).map((block) => block.text ?? "").join("");

const full = script([
  oneTurn[0],
  { text: "From all those logs {{nonce}}", stopReason: "model_context_window_exceeded" },
]);
const fullThenMore = script([
  oneTurn[0],
  { text: "From all those logs {{nonce}}", stopReason: "model_context_window_exceeded" },
  { text: "In short: all is well. {{nonce}}" },
]);

lists(contextWindowAsAnswer, {
  has: [
    {
      name: "the text of a reply that filled the window",
      agent: loop({ answer: text }),
      script: full,
      ends: "returned",
      says: ["From all those logs", "`model_context_window_exceeded`", "3 mensajes"],
      found: ["context-window-as-answer"],
    },
    { name: "the same where the script goes on", agent: loop({ answer: text }), script: fullThenMore },
  ],
  hasNot: [
    ...honestly(script(oneTurn)),
    ...attentively(full),
    { name: "the Message", agent: loop({}), script: full, headline: null },
    {
      name: "a reason without the text",
      agent: loop({ answer: () => ({ stopped: "context window full" }) }),
      script: full,
      headline: null,
    },
    {
      name: "a shorter history is sent, and the answer to it returned",
      agent: async ({ callModel, executeTool, userInput, tools }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        for (;;) {
          const { content, stop_reason } = await callModel({ messages, tools });
          if (stop_reason === "end_turn") return text({ content });
          messages.push({ role: "assistant", content });
          if (stop_reason !== "tool_use") {
            messages.splice(1, 2);
            messages.push({ role: "user", content: "Say it in short." });
            continue;
          }
          for (const block of content) {
            if (block.type !== "tool_use") continue;
            const output = await executeTool(block.name, block.input);
            messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: block.id, content: output }] });
          }
        }
      },
      script: fullThenMore,
      headline: null,
    },
    {
      name: "a reply cut by max_tokens",
      agent: loop({ answer: text }),
      script: script(truncated),
      headline: "truncated-as-answer",
    },
  ],
});
