import { overloadedOnce, script } from "../testing/scripts.ts";
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
  ],
  hasNot: [
    ...honestly(script(overloadedOnce)),
    { name: "a server that stays down", agent: honest, script: down, headline: "threw" },
  ],
});
