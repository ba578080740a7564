import { full, library, status, streaming, strict, textOf } from "../testing/honest.ts";
import { blank, type Habits, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./pause-turn.ts";

const resumed: Habits = { on: (reply) => reply.stop_reason === "pause_turn", results: () => [] };
const resuming = (habits: Habits = {}) => loop({ ...resumed, ...habits });

/** A tool that the API runs by itself: with those, turns are paused. */
const searching = (habits: Habits = {}) =>
  loop({
    request: ({ messages, tools }) => ({
      messages,
      tools: [...(tools as unknown[]), { type: "web_search_20250305", name: "web_search" }],
    }),
    ...habits,
  });

const withWord: Habits["keep"] = (reply) => [
  { role: "assistant", content: reply.content },
  { role: "user", content: "Go on." },
];
const garbled: Habits["keep"] = (reply) => [
  { role: "assistant", content: [{ type: "text", text: textOf(reply), id: "1" }] },
];

rows(behaviour, {
  holds: [
    { name: "it sends the turn back", agent: full, says: ["2 peticiones", "3 peticiones"] },
    { name: "by streaming", agent: streaming },
    { name: "without tools", agent: status, tools: "none" },
    { name: "a loop of a library", agent: library, tools: "own" },
    { name: "it throws and says why", agent: strict, says: ["pause_turn"] },
    {
      name: "a status of its own",
      agent: loop({ answer: (reply) => ({ status: "paused", text: textOf(reply) }) }),
    },
    { name: "nothing else", agent: resuming() },
    { name: "the same, and the API runs tools by itself", agent: searching(resumed) },
    {
      name: "no limit at all, of which another row has told",
      agent: searching({ ...resumed, cap: 1000 }),
      told: ["no-iteration-cap"],
    },
    {
      name: "it shuts the process down at its cap, of which another row has told",
      agent: searching(resumed),
      ended: { kind: "exited" },
      told: ["exited"],
    },
  ],
  fails: [
    { name: "it ends there, and returns nothing", agent: searching({ answer: () => undefined }), severity: "harms" },
    { name: "the bare text", agent: searching(), severity: "harms", diagnosis: "pause-turn-as-end" },
    {
      name: "the Message, paused as it is",
      agent: searching({ answer: (reply) => reply }),
      severity: "advice",
      diagnosis: "pause-turn-as-end",
    },
    {
      name: "a library that takes it for a stop",
      agent: searching({ answer: (reply) => ({ text: textOf(reply), finishReason: "stop", usage: reply.usage }) }),
      severity: "harms",
    },
    {
      name: "with a word from the user",
      agent: searching({ ...resumed, keep: withWord }),
      diagnosis: "pause-turn-with-new-message",
    },
    { name: "once, and no second time", agent: searching({ ...resumed, cap: 2 }), run: 1, severity: "harms" },
    {
      name: "pauses that no limit counts",
      agent: searching({ ...resumed, cap: 1000 }),
      run: 2,
      severity: "breaks",
      diagnosis: null,
      says: ["61 respuestas", "61 replies"],
    },
    ...[
      { name: "the bare text", agent: loop() },
      { name: "with a word from the user", agent: resuming({ keep: withWord }) },
      { name: "the turn gone wrong, which the API rejects", agent: resuming({ keep: garbled }) },
      { name: "pauses that no limit counts", agent: resuming({ cap: 1000 }), run: 2 },
    ].map((each) => ({
      ...each,
      name: `${each.name}, where the API runs no tool by itself`,
      severity: "advice" as const,
      says: ["como `web_search`", "only with those do pauses come"],
    })),
  ],
  others: [{ name: "it throws before it asks", agent: blank, status: "not-observable" }],
});
