import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import uncaught from "./uncaught.ts";

const error = { name: "TypeError", message: "x is not a function", stack: [{ file: "agent.ts", line: 7, column: 1 }] };

lists(uncaught, {
  has: [
    {
      name: "an error that escaped",
      agent: honest,
      ended: { outcome: "crashed", kind: "uncaught", error },
      says: ["`TypeError`", "x is not a function"],
      line: 7,
    },
    {
      name: "what escaped is no error",
      agent: honest,
      ended: { outcome: "crashed", kind: "uncaught", error: { name: "", message: "null", stack: [] } },
      says: ["(«null», que no es un `Error`)"],
      never: ["``"],
    },
    { name: "an escape without an error to show", agent: honest, ended: { outcome: "crashed", kind: "uncaught" } },
  ],
  hasNot: honestly(),
});
