import { full, library, status, streaming, strict } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./unknown-stop-reason.ts";

rows(behaviour, {
  holds: [
    { name: "the Message", agent: full },
    { name: "by streaming", agent: streaming },
    { name: "a status", agent: status, tools: "none" },
    { name: "a library's other", agent: library, tools: "own" },
    { name: "it throws and says why", agent: strict, says: ["handed_over"] },
    { name: "the text", agent: loop() },
    { name: "the reason as an error", agent: loop({ answer: ({ stop_reason }) => ({ error: stop_reason }) }) },
    { name: "an error in parts", agent: loop({ answer: () => ({ error: { kind: "model", code: 7 } }) }) },
  ],
  fails: [
    { name: "an error that is none", agent: loop({ answer: () => ({ error: null, turns: 1 }) }), says: ["was lost"] },
    {
      name: "until the end it wants",
      agent: loop({ on: (reply) => reply.stop_reason !== "end_turn", keep: () => [], cap: 1000 }),
      severity: "breaks",
    },
    {
      name: "it looks the reason up",
      agent: loop({
        answer: ({ stop_reason }) => ({ end_turn: "done" })[stop_reason as "end_turn"].toUpperCase(),
      }),
      severity: "advice",
      says: ["TypeError"],
    },
    {
      name: "the turn goes back",
      agent: loop({ on: (reply) => reply.stop_reason !== "end_turn" }),
      severity: "breaks",
    },
  ],
  others: [{ name: "it throws before it asks", agent: blank, status: "not-observable" }],
});
