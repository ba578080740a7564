import { failingOnce, overloadedOnce, script, silentTurns } from "../testing/scripts.ts";
import overloadNotRetried from "./overload-not-retried.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const down = script([...Array.from({ length: 12 }, () => ({ fault: 529 })), { text: "Hello {{nonce}}" }]);

lists(overloadNotRetried, {
  has: [
    {
      name: "one attempt and no more",
      agent: honest,
      attempts: 1,
      script: script(overloadedOnce),
      ends: "threw",
      says: ["1 vez", "Overloaded"],
    },
    {
      name: "a timeout on the server's side",
      agent: honest,
      attempts: 1,
      script: script(failingOnce(504)),
      says: ["timed out"],
    },
    {
      name: "after the tools were run, and wrapped in a reason",
      agent: async (hands) => honest(hands).catch((error: Error) => ({ stopped: error.message })),
      attempts: 1,
      script: script([...silentTurns.slice(0, 1), { fault: 429 }, ...silentTurns.slice(1)]),
      ends: "returned",
    },
  ],
  hasNot: [
    ...[400, 401, 403, 413].map((status) => ({
      name: `a ${status}, which no waiting mends`,
      agent: honest,
      script: script(failingOnce(status)),
      ends: "threw",
      headline: null,
    })),
    ...honestly(script(overloadedOnce)),
    { name: "a server that stays down", agent: honest, script: down, headline: null },
  ],
});
