import { failingTool, flakyTool, script } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import toolErrorUnflagged from "./tool-error-unflagged.ts";

const plain = loop({
  result: async ({ id, name, input }, execute) => ({
    type: "tool_result",
    tool_use_id: id,
    content: await execute(name, input).catch((error: Error) => error.message),
  }),
});

lists(toolErrorUnflagged, {
  has: [
    {
      name: "the error's text as the result",
      agent: plain,
      script: script(failingTool),
      ends: "returned",
      says: ["`read_logs` falló", "disk full"],
    },
  ],
  hasNot: [
    ...honestly(script(failingTool)),
    {
      name: "tried again until it worked",
      agent: loop({
        result: async ({ id, name, input }, execute) => {
          const again = (): Promise<unknown> => execute(name, input).catch(again);
          return { type: "tool_result", tool_use_id: id, content: String(await again()) };
        },
      }),
      script: script(flakyTool),
      headline: null,
    },
  ],
});
