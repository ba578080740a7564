/** Conversations for the tests of the diagnoses. */

const log = (service: string, does: unknown = { returns: `log of ${service} ({{nonce}})` }) => ({
  tool: "read_logs",
  input: { service },
  does,
});
const restart = (service: string, does: unknown = { returns: { restarted: service, note: "{{nonce}}" } }) => ({
  tool: "restart_service",
  input: { service },
  does,
});
const done = { text: "All is well. {{nonce}}" };

/** A scenario file with the two tools of the tests. */
export function script(replies: readonly unknown[], more: object = {}): unknown {
  const tool = (name: string) => ({
    name,
    description: name,
    input_schema: { type: "object", properties: { service: { type: "string" } }, required: ["service"] },
  });
  return {
    title: "A test",
    userInput: "What is wrong?",
    tools: [tool("read_logs"), tool("restart_service")],
    replies,
    ...more,
  };
}

/** One call a turn, with a preamble, then the answer. `restart_service` returns an object. */
export const twoTurns = [
  { text: "I will look. {{nonce}}", calls: [log("api")] },
  { text: "I will restart it. {{nonce}}", calls: [restart("api")] },
  done,
];
/** The same without a word beside the calls. */
export const silentTurns = [{ calls: [log("api")] }, { calls: [restart("api")] }, done];
export const oneTurn = [{ text: "I will look. {{nonce}}", calls: [log("api")] }, done];
/** Two calls in the first turn. */
export const twoAtOnce = [{ text: "Both at once. {{nonce}}", calls: [log("api"), log("db")] }, done];
/** The first turn asks for the same twice. */
export const sameTwice = [{ calls: [log("api"), log("api")] }, done];
export const threeAtOnce = [{ calls: [log("api"), restart("db"), log("web")] }, done];
export const noCall = [done];
/** The same call in every turn: the model polls. */
export const polling = [...Array.from({ length: 30 }, () => ({ calls: [log("api")] })), done];
/** It polls for a while, and each time there is news. */
export const patientPolling = [
  ...[10, 40, 80, 100].map((percent) => ({ calls: [log("api", { returns: `${percent} % done ({{nonce}})` })] })),
  done,
];
export const failingTool = [
  { text: "I will look. {{nonce}}", calls: [log("api", { throws: "disk full {{nonce}}" })] },
  done,
];
/** It fails twice and then works. */
export const flakyTool = [
  { calls: [log("api", [{ throws: "busy {{nonce}}" }, { throws: "busy {{nonce}}" }, { returns: "fine {{nonce}}" }])] },
  done,
];
export const hangingTool = [{ calls: [log("api", { hangs: true })] }, done];
export const approval = [{ text: "Restarting. {{nonce}}", calls: [{ ...restart("db"), refuse: true }] }, done];
export const thinksLast = [
  { calls: [log("api")] },
  { thinking: "So it is fine. {{nonce}}", text: "All is well. {{nonce}}" },
];
export const emptyEnd = [{ calls: [log("api")] }, { stopReason: "end_turn" }];
export const overloadedOnce = [{ fault: 529, retryAfterMs: 5 }, ...oneTurn];
/** The first request is turned down, or the server fails, with this status. */
export const failingOnce = (fault: number) => [{ fault }, ...oneTurn];
export const truncated = [{ text: "It is {{nonce}}", stopReason: "max_tokens" }, done];
export const refusing = [...Array.from({ length: 12 }, () => ({ text: "No. {{nonce}}", stopReason: "refusal" })), done];
/** It never ends, and asks for something new each time. */
export const endless = script(
  [
    {
      text: "Once more. {{nonce}}",
      calls: [{ tool: "read_logs", input: { service: "api-{{lap}}" }, does: { returns: "log {{nonce}}" } }],
    },
  ],
  {
    endless: { from: 0 },
  },
);
/** It asks for the same again and again, and the same comes of it. */
export const stuckOnOne = script([{ calls: [log("api")] }], { endless: { from: 0 }, stuck: true });
/** It goes to and fro between two calls. */
export const pingPong = script([{ calls: [log("api")] }, { calls: [restart("api")] }], {
  endless: { from: 0 },
  stuck: true,
});
