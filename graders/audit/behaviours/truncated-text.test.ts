import { events, full, library, printing, softCap, status, streaming, strict, textOf } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./truncated-text.ts";

const again = (most: number) =>
  loop({ on: (reply, turn) => reply.stop_reason === "max_tokens" && turn <= most, keep: () => [], cap: 1000 });
const goingOn = (answer?: Parameters<typeof loop>[0]) =>
  loop({
    on: (reply, turn) => reply.stop_reason === "max_tokens" && turn < 4,
    keep: (reply) => [
      { role: "assistant", content: reply.content },
      { role: "user", content: "Go on." },
    ],
    ...answer,
  });

rows(behaviour, {
  holds: [
    { name: "it asks for more room", agent: full, says: ["1024 → 2048"] },
    { name: "it throws", agent: strict, says: ["stopped: max_tokens"] },
    { name: "both halves", agent: streaming, says: ["dejó que el modelo la terminara"] },
    { name: "a status", agent: status, says: ["incomplete"] },
    { name: "a finish reason of a library", agent: library, says: ["length"] },
    { name: "a stop reason in a field", agent: softCap },
    { name: "an event at the end", agent: events },
    { name: "a printed line", agent: printing, says: ["imprimió"] },
    { name: "no tools", agent: full, tools: "none" },
    { name: "the Message", agent: loop({ answer: (reply) => reply }) },
    { name: "a flag", agent: loop({ answer: (reply) => ({ text: textOf(reply), truncated: true }) }) },
    { name: "a flag that is off", agent: loop({ answer: (reply) => ({ text: textOf(reply), complete: false }) }) },
    {
      name: "what a framework keeps of it, deep inside",
      agent: loop({
        answer: (reply) => ({
          messages: [{ content: textOf(reply), response_metadata: { stop_reason: reply.stop_reason } }],
        }),
      }),
    },
    { name: "words beside the text", agent: loop({ answer: (reply) => `${textOf(reply)}\n(truncated)` }) },
    { name: "words of its own alone", agent: loop({ answer: () => "Ask me for something shorter." }) },
    { name: "once more with the same request", agent: again(3), says: ["pidió de nuevo"] },
  ],
  fails: [
    { name: "the bare text", agent: loop(), severity: "harms", diagnosis: "truncated-as-answer", run: 0 },
    {
      name: "the text beside counts of tokens",
      agent: loop({ answer: (reply) => ({ text: textOf(reply), usage: reply.usage, steps: 1 }) }),
      severity: "harms",
      says: ["le falta el final"],
    },
    {
      name: "a library that takes it for a stop",
      agent: loop({ answer: (reply) => ({ text: textOf(reply), finishReason: "stop" }) }),
      severity: "harms",
    },
    {
      name: "the bare text, printed",
      agent: loop({ answer: (reply, { print }) => void print(textOf(reply)) }),
      severity: "harms",
    },
    {
      name: "the bare text, in pieces",
      agent: async function* ({ callModel, tools, userInput }) {
        const reply = await callModel({ messages: [{ role: "user", content: userInput }], tools });
        for (const piece of textOf(reply).match(/.{1,4}/gs) ?? []) yield piece;
      },
      severity: "harms",
    },
    { name: "an empty text", agent: loop({ answer: () => "" }), severity: "advice" },
    {
      name: "only the second half",
      agent: goingOn(),
      severity: "harms",
      says: ["solo la segunda mitad"],
      next: "before the cut",
    },
    {
      name: "the turn goes back without a word from the user",
      agent: goingOn({ keep: (reply) => [{ role: "assistant", content: reply.content }] }),
      severity: "breaks",
      says: ["prefill"],
    },
    { name: "it asks for ever", agent: again(1000), severity: "breaks", run: 1, says: ["61 veces"] },
    {
      name: "it trips over it",
      agent: loop({ answer: (reply) => (reply as unknown as { choices: unknown[] }).choices[0] }),
      severity: "advice",
      says: ["TypeError"],
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
