import { approval, script } from "../testing/scripts.ts";
import { honest, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import unapprovedCallRun from "./unapproved-call-run.ts";

lists(unapprovedCallRun, {
  has: [
    {
      name: "whatever is asked is run",
      agent: honest,
      script: script(approval),
      ends: "returned",
      says: ["`restart_service`", '{"service":"db"}'],
    },
  ],
  hasNot: [
    ...honestly(),
    {
      name: "refused with an error result",
      agent: loop({
        result: ({ id }) => ({ type: "tool_result", tool_use_id: id, content: "Not now.", is_error: true }),
      }),
      script: script(approval),
      headline: null,
    },
  ],
});
