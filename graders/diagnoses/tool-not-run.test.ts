import { approval, script, twoAtOnce } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import toolNotRun from "./tool-not-run.ts";

const saying = (content: string, more = {}) =>
  loop({ result: ({ id }) => ({ type: "tool_result", tool_use_id: id, content, ...more }) });

lists(toolNotRun, {
  has: [{ name: "a made-up result", agent: saying("ok"), ends: "returned", says: ["«ok»", "`read_logs`"] }],
  hasNot: [
    ...honestly(script(twoAtOnce)),
    { name: "refused, and said so", agent: saying("Not allowed.", { is_error: true }), headline: null },
    {
      name: "a call that must be refused, in plain words",
      agent: saying("Not now."),
      script: script(approval),
      headline: "tool-error-unflagged",
    },
    {
      name: "run with another input",
      agent: loop({
        result: async ({ id }, execute) => ({
          type: "tool_result",
          tool_use_id: id,
          content: await execute("read_logs", {}).catch(() => "ok"),
        }),
      }),
      headline: "wrong-tool-input",
    },
  ],
});
