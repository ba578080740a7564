import { full, status, streaming } from "../testing/honest.ts";
import { loop, runsAnyCall } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./refusal-with-call.ts";

rows(behaviour, {
  holds: [
    { name: "the Message", agent: full },
    { name: "by streaming", agent: streaming },
    { name: "tools of its own", agent: status, tools: "own" },
    { name: "the bare text, which is another row's matter", agent: loop(), says: ["No la ejecutó"] },
    { name: "it returns nothing", agent: loop({ answer: () => undefined }) },
  ],
  fails: [
    { name: "it runs whatever is there", agent: runsAnyCall, severity: "harms", diagnosis: "refused-tool-call-run" },
    { name: "it runs whatever is there, tools of its own", agent: runsAnyCall, tools: "own", severity: "harms" },
    {
      name: "it asks the same again",
      agent: loop({
        on: (reply, turn) => reply.stop_reason === "refusal" && turn < 3,
        keep: () => [],
        results: () => [],
      }),
      diagnosis: "refusal-retried",
    },
  ],
  others: [{ name: "no tools", agent: full, tools: "none", status: null }],
});
