import type { Agent } from "../../testing/play.ts";
import { callsOf, full, resultsOf, softCap } from "../testing/honest.ts";
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

/** From the second request on, one opening message in place of the question and of all but the last messages. */
const opensWith =
  (write: (said: string, userInput: string) => string, left = 100): Agent =>
  async (hands) =>
    loop({
      request: ({ messages, tools }) => {
        const [, ...rest] = messages;
        if (rest.length === 0) return { messages, tools };
        const opening = { role: "user", content: write(JSON.stringify(rest.slice(0, -left)), hands.userInput) };
        return { messages: [opening, ...rest.slice(-left)], tools };
      },
    })(hands);

rows(behaviour, {
  holds: [
    {
      name: "the question, and what day it is by now",
      agent: opensWith((said, userInput) => `Message ${said.length}. ${userInput}`),
      says: ["whole"],
    },
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
    {
      name: "the question gives way to words that say nothing of it",
      agent: opensWith(() => "Go on."),
      severity: "harms",
      diagnosis: null,
      says: ["La pregunta del usuario ya no está", "question is no longer in the last request"],
    },
    {
      name: "the question gives way to such words, and turns are lost",
      agent: opensWith(() => "Go on.", 4),
      severity: "harms",
    },
    {
      name: "the question gives way to what may sum it up",
      agent: opensWith((said) => `Progress so far: ${said}`, 4),
      severity: "advice",
      says: ["2 de los 6 turnos con herramientas y sin la pregunta", "without the question"],
    },
    {
      name: "the question gives way to what tools of its own said",
      agent: async (hands) => {
        const done: string[] = [];
        await loop({
          results: async (_, reply) => {
            const results = await resultsOf(hands, reply);
            done.push(...results.map(({ content }) => JSON.parse(String(content)).split(" ")[0]));
            return results.map((result, place) => ({ ...result, content: done.at(place - results.length) }));
          },
          request: ({ messages, tools }) => ({
            messages: [
              done.length > 0 ? { role: "user", content: done.join(", ") } : messages[0],
              ...messages.slice(1),
            ],
            tools,
          }),
        })(hands);
        return "Done.";
      },
      tools: "own",
      severity: "advice",
    },
    {
      name: "a summary of the turns below the question, in one message",
      agent: opensWith((said, userInput) => `${userInput}\n\n<progress>${said}</progress>`, 4),
      severity: "advice",
      says: ["2 de los 6 turnos con herramientas:", "2 of the 6 turns with tools:"],
    },
  ],
  others: [
    { name: "no tools", agent: loop(), tools: "none", status: null },
    { name: "one round and no more", agent: loop({ on: (_, turn) => turn === 1 }), status: "not-observable" },
    { name: "it never reads a newer reply", agent: stuckOnFirst, status: "not-observable" },
  ],
});
