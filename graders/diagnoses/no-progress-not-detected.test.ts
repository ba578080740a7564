import { pingPong, script, stuckOnOne, twoTurns } from "../testing/scripts.ts";
import noProgress from "./no-progress-not-detected.ts";
import { type Changes, careful, honest, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

/** Gives up at its cap, and looks at nothing else. */
const capped = (cap: number, more: Changes = {}) =>
  loop({
    on: ({ stop_reason }, turn) => stop_reason === "tool_use" && turn < cap - 1,
    answer: () => ({ stopped: "cap" }),
    ...more,
  });
/** After so many laps it does something about it. */
const after = (laps: number, note: (results: Record<string, unknown>[]) => unknown[]): Changes => ({
  user: (results, _, turn) => [{ role: "user", content: turn < laps ? results : note(results) }],
});

lists(noProgress, {
  has: [
    {
      name: "the same call up to the cap",
      agent: capped(10),
      script: stuckOnOne,
      cap: 10,
      ends: "returned",
      says: ["De las 10 respuestas", "9 pidieron", '`read_logs` con `{"service":"api"}`'],
      found: ["no-progress-not-detected"],
    },
    {
      name: "two calls by turns",
      agent: capped(10),
      script: pingPong,
      cap: 10,
      says: ["8 pidieron", "por turnos, a `read_logs` y `restart_service`"],
    },
    {
      name: "no cap either",
      agent: honest,
      script: stuckOnOne,
      cap: 10,
      ends: "no-iteration-cap",
      says: ["hasta que lo detuvimos"],
      found: ["no-progress-not-detected"],
    },
    { name: "a large cap, where the exercise names none", agent: capped(14), script: pingPong, ends: "returned" },
    {
      name: "words of its own in every lap are no note about this",
      agent: capped(10, {
        user: (results, _, turn) => [{ role: "user", content: [...results, { type: "text", text: `lap ${turn}` }] }],
      }),
      script: stuckOnOne,
      cap: 10,
    },
    {
      name: "a soft landing at the cap is no notice taken",
      agent: capped(11, { request: ({ messages, tools }, turn) => (turn < 10 ? { messages, tools } : { messages }) }),
      script: stuckOnOne,
      cap: 10,
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    { name: "giving up after three of the same", agent: capped(3), script: stuckOnOne, cap: 10, headline: null },
    { name: "giving up after six by turns", agent: capped(6), script: pingPong, cap: 10, headline: null },
    { name: "a large cap elsewhere, of which nothing is known", agent: careful, script: stuckOnOne, headline: null },
    {
      name: "a note beside the results",
      agent: capped(
        10,
        after(4, (results) => [...results, { type: "text", text: "You have asked for this already." }]),
      ),
      script: stuckOnOne,
      cap: 10,
      headline: null,
    },
    {
      name: "a note in the result",
      agent: capped(
        10,
        after(4, (results) => results.map((each) => ({ ...each, content: `${each.content} (nothing new)` }))),
      ),
      script: pingPong,
      cap: 10,
      headline: null,
    },
    {
      name: "the call is not run again, and the model is told",
      agent: capped(10, {
        result: (() => {
          let times = 0;
          return async ({ id, name, input }, execute) => {
            times += 1;
            const result = { type: "tool_result", tool_use_id: id };
            if (times > 3) return { ...result, content: "You have this already.", is_error: true };
            return { ...result, content: JSON.stringify(await execute(name, input)) };
          };
        })(),
      }),
      script: stuckOnOne,
      cap: 10,
      headline: null,
    },
    {
      name: "no tools from the fourth lap on",
      agent: loop({ request: ({ messages, tools }, turn) => (turn < 4 ? { messages, tools } : { messages }) }),
      script: stuckOnOne,
      cap: 10,
      headline: null,
    },
    {
      name: "it is the loop that begins again, not the model",
      agent: async ({ callModel, tools, userInput }) => {
        for (let i = 0; i < 9; i++) await callModel({ messages: [{ role: "user", content: userInput }], tools });
      },
      script: stuckOnOne,
      cap: 5,
      headline: "restarted-conversation",
    },
    {
      name: "another model from the fourth lap on",
      agent: capped(10, {
        request: (request, turn) => (turn < 4 ? request : { ...request, model: "claude-opus-5-1" }),
      }),
      script: stuckOnOne,
      cap: 10,
    },
  ],
});
