import outOfTime from "./out-of-time.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(outOfTime, {
  has: [
    {
      name: "the wall-clock limit",
      agent: honest,
      ended: { outcome: "stalled", kind: "out-of-time", measured: { limitMs: 20000 } },
      says: ["20 s", "BUCLE_TIME_LIMIT_MS"],
    },
  ],
  hasNot: honestly(),
});
