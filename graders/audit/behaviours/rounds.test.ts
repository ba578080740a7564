import type { ApiMessage } from "../../trace/api.ts";
import { events, library, printing, resultsOf, textOf } from "../testing/honest.ts";
import { blank, loop, stuckOnFirst } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./rounds.ts";

const allErrors = loop({
  results: async (hands, reply) => (await resultsOf(hands, reply)).map((result) => ({ ...result, is_error: true })),
});

rows(behaviour, {
  holds: [
    { name: "errors of tools that nobody watches", agent: allErrors, tools: "own" },
    { name: "the plain loop", agent: loop() },
    {
      name: "the first request alone has to ask for a tool",
      agent: loop({
        request: (request, turn) => (turn === 0 ? { ...request, tool_choice: { type: "any" } } : request),
      }),
    },
    { name: "a generator of pieces", agent: events, says: ["Tres turnos"] },
    { name: "a program that prints", agent: printing },
    { name: "a library's result, tools of its own", agent: library, tools: "own" },
    {
      name: "it returns nothing: callbacks, perhaps",
      agent: loop({ answer: () => undefined }),
      says: ["returned nothing"],
    },
    {
      name: "the first block of text, beside the Message",
      agent: loop({ answer: (reply) => ({ text: textOf({ content: reply.content.slice(0, 1) }), reply }) }),
    },
    { name: "it returns what it has counted", agent: loop({ answer: () => ({ turns: 3 }) }) },
  ],
  fails: [
    {
      name: "every result an error",
      agent: allErrors,
      severity: "harms",
      diagnosis: "result-flagged-as-error",
      says: ["ran well"],
      next: "is_error: true",
    },
    {
      name: "a tool_choice that never lets the model end",
      agent: loop({ request: (request) => ({ ...request, tool_choice: { type: "any" } }) }),
      severity: "advice",
      diagnosis: "forced-tool-choice",
    },
    { name: "one round and no more", agent: loop({ on: (_, turn) => turn === 1 }), severity: "harms" },
    { name: "it never reads a newer reply", agent: stuckOnFirst, severity: "breaks" },
    {
      name: "it keeps no turn of the model",
      agent: loop({ keep: (_, results) => [{ role: "user", content: results }] }),
    },
    {
      name: "a fixed text in place of the result",
      agent: loop({
        results: async (hands, reply) =>
          (await resultsOf(hands, reply)).map((result) => ({ ...result, content: "ok" })),
      }),
      diagnosis: "result-left-out",
    },
    { name: "it goes on after the end", agent: loop({ on: (_, turn) => turn < 6, keep: () => [] }) },
    {
      name: "it answers with words of its own",
      agent: loop({ answer: () => "Finished!" }),
      says: ["Finished!"],
      next: "Of which reply",
    },
    {
      name: "it answers with the first words of the model",
      agent: loop({
        answer: (_, __, all) =>
          textOf(all.find((message) => (message as ApiMessage).role === "assistant") as ApiMessage),
      }),
      severity: "harms",
      diagnosis: "answer-not-returned",
    },
    ...[0, 1].map((place) => ({
      name: `it answers with text block ${place + 1} of two alone`,
      agent: loop({
        answer: ({ content }) =>
          textOf({
            content: content
              .filter(({ type }) => type === "text")
              .slice(place)
              .slice(0, 1),
          }),
      }),
      severity: "advice" as const,
      diagnosis: "answer-not-returned",
      says: ["traía 2 bloques de texto"],
    })),
    { name: "it throws before it asks", agent: blank, diagnosis: "threw" },
    { name: "it gives up after two turns", agent: loop({ cap: 2 }) },
  ],
  others: [{ name: "no tools", agent: loop(), tools: "none", status: null }],
});
