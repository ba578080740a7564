import { full, library, status, streaming, strict, textOf } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./pause-turn.ts";

const resuming = (habits: Parameters<typeof loop>[0] = {}) =>
  loop({ on: (reply) => reply.stop_reason === "pause_turn", results: () => [], ...habits });

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
  ],
  fails: [
    { name: "it ends there, and returns nothing", agent: loop({ answer: () => undefined }) },
    { name: "the bare text", agent: loop(), severity: "harms", diagnosis: "pause-turn-as-end" },
    {
      name: "the Message, paused as it is",
      agent: loop({ answer: (reply) => reply }),
      severity: "advice",
      diagnosis: "pause-turn-as-end",
    },
    {
      name: "a library that takes it for a stop",
      agent: loop({ answer: (reply) => ({ text: textOf(reply), finishReason: "stop", usage: reply.usage }) }),
      severity: "harms",
    },
    {
      name: "with a word from the user",
      agent: resuming({
        keep: (reply) => [
          { role: "assistant", content: reply.content },
          { role: "user", content: "Go on." },
        ],
      }),
      diagnosis: "pause-turn-with-new-message",
    },
    { name: "once, and no second time", agent: resuming({ cap: 2 }), run: 1, severity: "harms" },
  ],
  others: [{ name: "it throws before it asks", agent: blank, status: "not-observable" }],
});
