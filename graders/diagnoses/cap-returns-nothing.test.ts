import { endless, script, twoTurns } from "../testing/scripts.ts";
import capReturnsNothing from "./cap-returns-nothing.ts";
import { type Changes, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

/** Gives up after so many replies, and returns a value. */
const returning = (value: unknown, replies = 5, more: Changes = {}) =>
  loop({
    on: ({ stop_reason }, turn) => stop_reason === "tool_use" && turn < replies - 1,
    answer: () => value,
    ...more,
  });
const never = { script: endless, cap: 5 };

lists(capReturnsNothing, {
  has: [
    {
      name: "nothing is returned",
      agent: returning(undefined),
      ...never,
      ends: "returned",
      says: ["5 respuestas", "`undefined` o `null`", "was waiting for `read_logs`"],
      found: ["cap-returns-nothing"],
    },
    { name: "null", agent: returning(null), ...never },
    { name: "an empty text", agent: returning(""), ...never, says: ["un texto vacío"] },
    { name: "an empty object", agent: returning({ content: [] }), ...never, says: ["holds nothing"] },
    {
      name: "a cap smaller than the exercise's",
      agent: returning(undefined, 3),
      script: endless,
      cap: 10,
      says: ["3 respuestas"],
    },
    {
      name: "the words of a soft landing are lost",
      agent: returning(undefined, 6, {
        request: ({ messages, tools }, turn) => (turn < 4 ? { messages, tools } : { messages }),
      }),
      ...never,
      says: ["hasta dónde había llegado"],
    },
    {
      name: "beside a lap too many",
      agent: returning(undefined, 6),
      ...never,
      headline: "off-by-one-cap",
      found: ["off-by-one-cap", "cap-returns-nothing"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    { name: "a reason", agent: returning({ stopped: "cap" }), ...never, headline: null },
    { name: "a reason in plain words", agent: returning("too many laps"), ...never, headline: null },
    { name: "the last reply, which says why it stopped", agent: loop({ on: (_, turn) => turn < 4 }), ...never },
    {
      name: "it throws",
      agent: loop({
        on: (_, turn) => {
          if (turn === 4) throw Object.assign(new Error("cap"), { name: "AgentStopped" });
          return true;
        },
      }),
      ...never,
      headline: null,
    },
    { name: "one request and out", agent: returning(undefined, 1), ...never, headline: null },
    { name: "nothing written yet", agent: () => undefined, ...never, headline: "model-never-asked" },
    {
      name: "a conversation that ends",
      agent: loop({ answer: () => undefined }),
      script: script(twoTurns),
      headline: "answer-not-returned",
    },
    { name: "aborted", agent: returning(undefined), ...never, abortAfter: 18, headline: null },
  ],
});
