import { hangingTool, script } from "../testing/scripts.ts";
import neverSettles from "./never-settles.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(neverSettles, {
  has: [
    {
      name: "a tool that never answers",
      agent: honest,
      script: script(hangingTool),
      ends: "never-settles",
      says: ["`read_logs` quedó colgada"],
    },
    {
      name: "a promise of its own that nobody resolves",
      agent: () => new Promise(() => {}),
      ends: "never-settles",
      says: ["`resolve`"],
    },
  ],
  hasNot: honestly(),
});
