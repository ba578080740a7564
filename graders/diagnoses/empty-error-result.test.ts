import { failingTool, script } from "../testing/scripts.ts";
import emptyErrorResult from "./empty-error-result.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const failing = (content: unknown) =>
  loop({
    result: async ({ id, name, input }, execute) =>
      execute(name, input).catch(() => ({ type: "tool_result", tool_use_id: id, content, is_error: true })),
  });

lists(emptyErrorResult, {
  has: [
    {
      name: "an empty text",
      agent: failing(""),
      script: script(failingTool),
      says: ["`read_logs`", "content cannot be empty"],
    },
    {
      name: "in the source: the field that is empty",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        for (;;) {
          const { content, stop_reason } = await callModel({ messages, tools });
          if (stop_reason !== "tool_use") return { content, stop_reason };
          messages.push({ role: "assistant", content });
          const results: unknown[] = [];
          for (const block of content) {
            if (block.type !== "tool_use") continue;
            try {
              results.push({
                type: "tool_result",
                tool_use_id: block.id,
                content: await executeTool(block.name, block.input),
              });
            } catch {
              results.push({ type: "tool_result", tool_use_id: block.id, is_error: true, content: "" });
            }
          }
          messages.push({ role: "user", content: results });
        }
      },
      script: script(failingTool),
      line: 33,
    },
    { name: "no content", agent: failing(undefined), script: script(failingTool) },
  ],
  hasNot: [
    ...honestly(script(failingTool)),
    {
      name: "an error that says what happened",
      agent: failing("disk full"),
      script: script(failingTool),
      headline: null,
    },
  ],
});
