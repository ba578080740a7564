import busyLoop from "./busy-loop.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const at = { file: "agent.ts", line: 5, column: 3 };

/** It looks at the clock on its second line. */
const untilLate = () => {
  while (Date.now() > Number.MAX_VALUE);
};

lists(busyLoop, {
  has: [
    {
      name: "the loop guard spoke",
      agent: honest,
      ended: { outcome: "looped", kind: "busy-loop", at, measured: { cpuMs: 1561, passes: 1234567 } },
      says: ["(línea 5)", "1,234,567 times in 1.6 s"],
      line: 5,
    },
    {
      name: "waiting by the clock",
      agent: untilLate,
      ended: {
        outcome: "looped",
        kind: "busy-loop",
        at: { ...at, line: 2 },
        measured: { cpuMs: 1561, passes: 1234567 },
      },
      says: ["el tiempo es virtual", "time is virtual here", "stands still"],
      line: 2,
    },
    {
      name: "interrupted in native code",
      agent: honest,
      ended: { outcome: "looped", kind: "busy-loop", measured: { cpuMs: 2300 } },
      says: ["used 2.3 s of processor time"],
    },
  ],
  hasNot: honestly(),
});
