import network from "./network.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const ended = { outcome: "blocked", kind: "network" } as const;

lists(network, {
  has: [
    {
      name: "a refusal that ended the run",
      agent: honest,
      ended,
      blocked: { what: "network", detail: "the detail" },
      says: ["`the detail`"],
    },
    { name: "a refusal without a detail", agent: honest, ended },
  ],
  hasNot: [
    ...honestly(),
    { name: "a refusal that was caught", agent: honest, blocked: { what: "network", detail: "x" }, headline: null },
  ],
});
