import { full, softCap } from "../testing/honest.ts";
import { loop, stuckOnFirst } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./full-history.ts";

const windowOf = (size: number) =>
  loop({ request: ({ messages, tools }) => ({ messages: messages.slice(-size), tools }) });

rows(behaviour, {
  holds: [
    { name: "the plain loop", agent: loop(), says: ["13 mensajes", "all 13 messages"] },
    { name: "tools of its own", agent: full, tools: "own", says: ["13 mensajes"] },
    { name: "with a soft cap", agent: softCap },
  ],
  fails: [
    { name: "a window that cuts a pair", agent: windowOf(7), diagnosis: "orphaned-tool-result", severity: "breaks" },
    {
      name: "a window that keeps pairs and forgets the question",
      agent: windowOf(6),
      severity: "harms",
      diagnosis: "history-cut-short",
    },
    {
      name: "the question, and the latest turns",
      agent: loop({
        request: ({ messages, tools }) => ({ messages: [messages[0], ...messages.slice(1).slice(-6)], tools }),
      }),
      severity: "advice",
      says: ["3 de los 6", "3 of the 6"],
    },
    {
      name: "newest first",
      agent: loop({ request: ({ messages, tools }) => ({ messages: messages.toReversed(), tools }) }),
    },
  ],
  others: [
    { name: "no tools", agent: loop(), tools: "none", status: null },
    { name: "one round and no more", agent: loop({ on: (_, turn) => turn === 1 }), status: "not-observable" },
    { name: "it never reads a newer reply", agent: stuckOnFirst, status: "not-observable" },
  ],
});
