import filesystem from "./filesystem.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const ended = { outcome: "blocked", kind: "filesystem" } as const;

lists(filesystem, {
  has: [
    {
      name: "a refusal that ended the run",
      agent: honest,
      ended,
      blocked: { what: "filesystem", detail: "the detail" },
      says: ["`the detail`"],
    },
    { name: "a refusal without a detail", agent: honest, ended },
  ],
  hasNot: [
    ...honestly(),
    { name: "a refusal that was caught", agent: honest, blocked: { what: "filesystem", detail: "x" }, headline: null },
  ],
});
