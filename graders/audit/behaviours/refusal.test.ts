import { events, full, library, printing, status, streaming, strict, textOf } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./refusal.ts";

rows(behaviour, {
  holds: [
    { name: "the Message", agent: full },
    { name: "it throws", agent: strict },
    { name: "words that say so", agent: streaming },
    { name: "a status", agent: status, says: ["refused"] },
    { name: "a content filter", agent: library, says: ["content-filter"] },
    { name: "an event", agent: events },
    { name: "a printed line", agent: printing },
    { name: "no tools", agent: full, tools: "none" },
    {
      name: "another model is asked once",
      agent: loop({
        on: (reply, turn) => reply.stop_reason === "refusal" && turn === 1,
        keep: () => [],
        request: (request, turn) => ({ ...request, model: turn === 0 ? "claude-opus-5-5" : "claude-sonnet-5-5" }),
        answer: (reply) => reply,
      }),
      says: ["hubo 1 petición después", "1 request followed"],
    },
  ],
  fails: [
    { name: "the bare text", agent: loop(), severity: "harms", diagnosis: "refusal-as-answer" },
    {
      name: "the text beside other things",
      agent: loop({ answer: (reply) => ({ text: textOf(reply), usage: reply.usage }) }),
      severity: "harms",
    },
    { name: "nothing in it", agent: loop({ answer: () => ({ text: "" }) }), severity: "advice" },
    {
      name: "it asks the same again",
      agent: loop({ on: (reply, turn) => reply.stop_reason === "refusal" && turn < 4, keep: () => [] }),
      severity: "harms",
      diagnosis: "refusal-retried",
    },
    {
      name: "until the end it wants",
      agent: loop({ on: (reply) => reply.stop_reason !== "end_turn", keep: () => [], cap: 1000 }),
      severity: "breaks",
    },
    {
      name: "it trips over it",
      agent: loop({ answer: (reply) => (reply as unknown as { choices: unknown[] }).choices[0] }),
      severity: "advice",
    },
  ],
  others: [
    {
      name: "it returns nothing and prints nothing",
      agent: loop({ answer: () => undefined }),
      status: "not-observable",
    },
    { name: "it throws before it asks", agent: blank, status: "not-observable" },
  ],
});
