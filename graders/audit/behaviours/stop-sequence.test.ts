import { full, library, printing, status, streaming, strict } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./stop-sequence.ts";

const sequences = { stop_sequences: ["END"] };

rows(behaviour, {
  holds: [
    { name: "the Message", agent: full },
    { name: "by streaming", agent: streaming },
    { name: "a status", agent: status, tools: "none" },
    { name: "a library's stop", agent: library },
    { name: "printed", agent: printing },
    { name: "it throws, having sent no stop sequences", agent: strict, says: ["lanzó", "sends no `stop_sequences`"] },
    { name: "the text", agent: loop({ request: (request) => ({ ...request, ...sequences }) }) },
    { name: "it returns nothing", agent: loop({ answer: () => undefined }) },
  ],
  fails: [
    {
      name: "until the end it wants",
      agent: loop({ on: (reply) => reply.stop_reason !== "end_turn", keep: () => [], cap: 1000 }),
      severity: "breaks",
      diagnosis: "kept-going-after-end",
    },
    {
      name: "once more",
      agent: loop({ on: (reply, turn) => reply.stop_reason !== "end_turn" && turn < 2, keep: () => [] }),
      severity: "harms",
      says: ["1 vez", "once more"],
    },
    {
      name: "it throws, though it sent the sequence",
      agent: loop({
        request: (request) => ({ ...request, ...sequences }),
        answer: ({ stop_reason }) => {
          throw new Error(`Unexpected: ${stop_reason}`);
        },
      }),
      severity: "advice",
    },
    { name: "the text is lost", agent: loop({ answer: () => "" }), severity: "harms" },
  ],
  others: [{ name: "it throws before it asks", agent: blank, status: "not-observable" }],
});
