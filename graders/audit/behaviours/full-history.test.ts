import { callsOf, full, softCap } from "../testing/honest.ts";
import { loop, stuckOnFirst } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./full-history.ts";

const windowOf = (size: number) =>
  loop({ request: ({ messages, tools }) => ({ messages: messages.slice(-size), tools }) });

/** Old results in a word. */
const compacting = loop({
  request: ({ messages, tools }) => ({
    messages: messages.map((message, place) => {
      const { role, content } = message as { role: string; content: unknown };
      if (role !== "user" || !Array.isArray(content) || place > messages.length - 3) return message;
      return { role, content: content.map((result) => ({ ...result, content: "[elided]" })) };
    }),
    tools,
  }),
});

rows(behaviour, {
  holds: [
    { name: "old results in a word", agent: compacting, says: ["5 resultados anteriores", "5 earlier results"] },
    { name: "the plain loop", agent: loop(), says: ["13 mensajes", "all 13 messages of the conversation, whole"] },
    { name: "tools of its own", agent: full, tools: "own", says: ["13 mensajes"] },
    { name: "with a soft cap", agent: softCap },
  ],
  fails: [
    {
      name: "the words beside the calls are left out",
      agent: loop({
        keep: (reply, results) => [
          { role: "assistant", content: callsOf(reply) },
          { role: "user", content: results },
        ],
      }),
      severity: "advice",
      says: ["en 6 faltaba", "in 6 what the model said"],
    },
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
