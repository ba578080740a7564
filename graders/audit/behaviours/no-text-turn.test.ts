import { streaming, textOf } from "../testing/honest.ts";
import { loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./no-text-turn.ts";

rows(behaviour, {
  holds: [
    { name: "the plain loop", agent: loop() },
    { name: "by streaming", agent: streaming },
    { name: "tools of its own", agent: loop(), tools: "own" },
    {
      name: "one that answers only the first call",
      agent: loop({ on: (_, turn) => turn === 1 }),
    },
  ],
  fails: [
    {
      name: "it puts the text first, though there is none",
      agent: loop({
        keep: (reply, results) => [
          {
            role: "assistant",
            content: [{ type: "text", text: textOf(reply) }, ...reply.content.filter(({ type }) => type !== "text")],
          },
          { role: "user", content: results },
        ],
      }),
      severity: "breaks",
    },
    {
      name: "it reads a text that is not there",
      agent: loop({ on: (reply) => (reply.content[0] as { text: string }).text.length > 0 }),
      says: ["TypeError"],
    },
    {
      name: "no text, no more",
      agent: loop({ on: (reply) => textOf(reply) !== "" && reply.stop_reason === "tool_use" }),
    },
  ],
  others: [
    { name: "no tools", agent: loop(), tools: "none", status: null },
    {
      name: "it keeps no turn of the model",
      agent: loop({ keep: (_, results) => [{ role: "user", content: results }] }),
      status: "not-observable",
    },
  ],
});
