import exited from "./exited.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(exited, {
  has: [{ name: "the child went away", agent: honest, ended: { outcome: "crashed", kind: "exited" } }],
  hasNot: honestly(),
});
