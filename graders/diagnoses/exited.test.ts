import exited from "./exited.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(exited, {
  has: [
    {
      name: "the child went away",
      agent: honest,
      ended: { outcome: "crashed", kind: "exited" },
      says: ["`process.exit()`"],
      never: ["descriptor"],
    },
    {
      name: "what came through the channel could not be read",
      agent: honest,
      ended: { outcome: "crashed", kind: "exited", measured: { brokenChannel: 1 } },
      says: ["descriptor de archivo 3", "file descriptor 3"],
      never: ["process.exit", "se apagó", "went down"],
    },
  ],
  hasNot: honestly(),
});
