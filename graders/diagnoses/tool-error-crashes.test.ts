import { failingTool, script } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import toolErrorCrashes from "./tool-error-crashes.ts";

lists(toolErrorCrashes, {
  has: [
    {
      name: "nothing catches it",
      agent: loop({}),
      script: script(failingTool),
      ends: "threw",
      says: ["`read_logs`", "disk full"],
    },
    {
      name: "wrapped in another error",
      agent: loop({
        result: ({ name, input }, execute) =>
          execute(name, input).catch((error: Error) => Promise.reject(new Error(`tool failed: ${error.message}`))),
      }),
      script: script(failingTool),
    },
  ],
  hasNot: [
    ...honestly(script(failingTool)),
    {
      name: "an error of its own",
      agent: () => Promise.reject(new Error("no")),
      script: script(failingTool),
      headline: "threw",
    },
  ],
});
