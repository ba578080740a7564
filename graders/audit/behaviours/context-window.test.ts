import { full, library, printing, status, streaming, strict, textOf } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./context-window.ts";

const isFull = "model_context_window_exceeded";

rows(behaviour, {
  holds: [
    { name: "the Message", agent: full },
    { name: "it throws", agent: strict },
    { name: "words that say so", agent: streaming },
    { name: "a status", agent: status },
    { name: "a finish reason of a library", agent: library },
    { name: "a printed line", agent: printing, tools: "none" },
    {
      name: "it sends the same a few times and gives up",
      agent: loop({
        on: (reply, turn) => reply.stop_reason === isFull && turn < 4,
        keep: () => [],
        answer: (reply) => reply,
      }),
    },
  ],
  fails: [
    { name: "the bare text", agent: loop(), severity: "harms", diagnosis: "context-window-as-answer" },
    {
      name: "the text beside other things",
      agent: loop({ answer: (reply) => ({ text: textOf(reply), usage: reply.usage }) }),
      severity: "harms",
    },
    {
      name: "only the second half",
      agent: loop({
        on: (reply) => reply.stop_reason === isFull,
        keep: (reply) => [
          { role: "assistant", content: reply.content },
          { role: "user", content: "Go on." },
        ],
      }),
      says: ["solo la segunda mitad"],
      next: "before the cut",
    },
    {
      name: "the very same for ever",
      agent: loop({ on: (reply) => reply.stop_reason === isFull, keep: () => [], cap: 1000 }),
      severity: "breaks",
    },
  ],
  others: [{ name: "it throws before it asks", agent: blank, status: "not-observable" }],
});
