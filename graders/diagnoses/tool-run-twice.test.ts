import { flakyTool, polling, script } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import toolRunTwice from "./tool-run-twice.ts";

lists(toolRunTwice, {
  has: [
    {
      name: "once to look and once for the result",
      agent: loop({
        result: async ({ id, name, input }, execute) => {
          await execute(name, input);
          return { type: "tool_result", tool_use_id: id, content: JSON.stringify(await execute(name, input)) };
        },
      }),
      ends: "returned",
      says: ["2 veces", "twice"],
    },
  ],
  hasNot: [...honestly(script(flakyTool)), ...honestly(script(polling)).slice(0, 2)],
});
