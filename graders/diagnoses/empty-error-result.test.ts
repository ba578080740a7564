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
