import { patientPolling, polling, script, stuckOnOne, twoTurns } from "../testing/scripts.ts";
import type { ApiMessage } from "../trace/api.ts";
import legitimateRepeat from "./legitimate-repeat-broken.ts";
import { type Changes, careful, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

/** Gives up once the same call has come so many times. */
const breaking = (times: number, give: Changes) => {
  const on = () => {
    const seen: string[] = [];
    return ({ stop_reason, content }: ApiMessage): boolean => {
      if (stop_reason !== "tool_use") return false;
      const call = content.find((block) => block.type === "tool_use");
      seen.push(JSON.stringify(call?.input));
      return seen.filter((each) => each === seen.at(-1)).length < times;
    };
  };
  return loop({ on: on(), ...give });
};
const enough = Object.assign(new Error("no progress"), { name: "AgentStopped" });

lists(legitimateRepeat, {
  has: [
    {
      name: "broken off at the first repeat",
      agent: breaking(2, {}),
      script: script(patientPolling),
      ends: "returned",
      says: ["respuesta 2", "2 veces en total", '`read_logs` with `{"service":"api"}`'],
      found: ["legitimate-repeat-broken"],
    },
    {
      name: "at the third of the same, with a reason",
      agent: breaking(3, { answer: () => ({ stopped: "no progress" }) }),
      script: script(patientPolling),
      says: ["ya hubo 2 distintos", "2 different ones"],
    },
    {
      name: "it throws",
      agent: loop({
        user: (results, _, turn) => {
          if (turn === 3) throw enough;
          return [{ role: "user", content: results }];
        },
      }),
      script: script(patientPolling),
      ends: "threw",
      says: ["respuesta 3"],
      found: ["legitimate-repeat-broken"],
    },
    {
      name: "with the words beside the call as its answer",
      agent: breaking(2, { answer: ({ content }) => content[0] }),
      script: script(patientPolling.map((reply) => ({ text: "Not yet. {{nonce}}", ...reply }))),
      found: ["legitimate-repeat-broken"],
    },
  ],
  hasNot: [
    ...honestly(script(patientPolling)),
    ...honestly(script(twoTurns)),
    { name: "a loop that is never entered", agent: loop({ on: () => false }), headline: "stopped-early" },
    {
      name: "one lap, and the next call is another",
      agent: loop({ on: (_, turn) => turn < 1 }),
      headline: "stopped-early",
    },
    { name: "a cap, in a very long wait", agent: careful, script: script(polling), headline: null },
    {
      name: "it is the loop that begins again, not the model",
      agent: async ({ callModel, tools, userInput }) => {
        for (let i = 0; i < 3; i++) await callModel({ messages: [{ role: "user", content: userInput }], tools });
      },
      headline: "restarted-conversation",
    },
    { name: "a stuck model", agent: breaking(3, { answer: () => enough }), script: stuckOnOne, headline: null },
    {
      name: "a tool's error that nothing catches",
      agent: loop({}),
      script: script([
        { calls: [{ tool: "read_logs", input: { service: "api" }, does: { returns: "fine {{nonce}}" } }] },
        { calls: [{ tool: "read_logs", input: { service: "api" }, does: { throws: "busy {{nonce}}" } }] },
        { text: "Well. {{nonce}}" },
      ]),
      headline: "tool-error-crashes",
    },
  ],
});
