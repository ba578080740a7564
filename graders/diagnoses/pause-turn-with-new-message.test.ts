import { oneTurn, script } from "../testing/scripts.ts";
import pauseTurnWithNewMessage from "./pause-turn-with-new-message.ts";
import { type Changes, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { attentive, telling } from "./testing/stops.ts";

const pause = { text: "I am searching. {{nonce}}", stopReason: "pause_turn" };
const end = { text: "All is well. {{nonce}}" };
const paused = script([pause, end]);
const afterTools = script([oneTurn[0], pause, end]);
const twice = script([pause, pause, oneTurn[0], pause, end]);

const goesOn: Changes = {
  on: ({ stop_reason }) => stop_reason === "tool_use" || stop_reason === "pause_turn",
};
const saying = (words: string, more: Changes = {}) =>
  loop({
    ...goesOn,
    user: (results) => [{ role: "user", content: results.length > 0 ? results : words }],
    ...more,
  });

lists(pauseTurnWithNewMessage, {
  has: [
    {
      name: "the user says to go on",
      agent: saying("Please continue"),
      script: paused,
      says: ["«Please continue»", "Le devolviste su turno"],
      found: ["pause-turn-with-new-message"],
    },
    {
      name: "a message of results without a result",
      agent: loop(goesOn),
      script: paused,
      ends: "threw",
      says: ["vacío", "with nothing in it", "non-empty content"],
      found: ["pause-turn-with-new-message"],
    },
    { name: "after a turn of tools", agent: saying("Sigue"), script: afterTools },
    {
      name: "the paused turn is left out, and the user says to go on",
      agent: saying("Please continue", {
        assistant: ({ stop_reason, content }) => (stop_reason === "pause_turn" ? [] : [{ role: "assistant", content }]),
      }),
      script: afterTools,
      says: ["En lugar de devolverle su turno", "Please continue"],
      found: ["pause-turn-with-new-message"],
    },
    {
      name: "of the paused turn its words alone, and the user says to go on",
      agent: saying("Please continue", {
        assistant: ({ content }) => [
          { role: "assistant", content: content.filter(({ type }) => type !== "server_tool_use") },
        ],
      }),
      script: paused,
    },
  ],
  hasNot: [
    ...honestly(script(oneTurn)),
    ...[attentive, telling].flatMap((agent) =>
      [paused, afterTools, twice].map((each) => ({
        name: `${agent.name}, an honest loop`,
        agent,
        script: each,
        headline: null,
      })),
    ),
    {
      name: "a loop that has waited once and then asks to wrap up",
      agent: (() => {
        let pauses = 0;
        return loop({
          ...goesOn,
          user: (results, { stop_reason }) => {
            if (stop_reason === "tool_use") return [{ role: "user", content: results }];
            pauses++;
            return pauses > 1 ? [{ role: "user", content: "Answer with what you have." }] : [];
          },
        });
      })(),
      script: script([pause, pause, end]),
      headline: null,
    },
    {
      name: "the same request once more, without the paused turn: nobody spoke",
      agent: async ({ callModel, userInput, tools }) => {
        const request = { messages: [{ role: "user", content: userInput }], tools };
        const first = await callModel(request);
        return first.stop_reason === "pause_turn" ? callModel(request) : first;
      },
      script: paused,
      headline: null,
    },
  ],
});
