import idleLoop from "./idle-loop.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(idleLoop, {
  has: [
    {
      name: "timers and nothing else",
      agent: honest,
      ended: { outcome: "looped", kind: "idle-loop", measured: { timers: 10000 } },
      says: ["10000 esperas", "10000 waits"],
    },
  ],
  hasNot: honestly(),
});
