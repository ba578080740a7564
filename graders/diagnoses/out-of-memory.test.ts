import outOfMemory from "./out-of-memory.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(outOfMemory, {
  has: [
    {
      name: "the child ran out of memory",
      agent: honest,
      ended: { outcome: "crashed", kind: "out-of-memory" },
      says: ["3 respuestas del modelo y 2 herramientas ejecutadas"],
    },
  ],
  hasNot: honestly(),
});
