import { overloadedOnce, script } from "../testing/scripts.ts";
import rejectedRequestRetried from "./rejected-request-retried.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const three = () => {
  let left = 3;
  return () => --left > 0;
};
const hopeless = { request: ({ tools }: { tools: unknown }) => ({ messages: [], tools }) };

lists(rejectedRequestRetried, {
  has: [
    {
      name: "three times the same",
      agent: loop({ ...hopeless, retry: three() }),
      ends: "threw",
      says: ["3 veces", "at least one message is required"],
    },
  ],
  hasNot: [...honestly(script(overloadedOnce)), { name: "once", agent: loop(hopeless), headline: "threw" }],
});
