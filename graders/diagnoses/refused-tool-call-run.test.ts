import { script, twoTurns } from "../testing/scripts.ts";
import refusedToolCallRun from "./refused-tool-call-run.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { attentively } from "./testing/stops.ts";

const calls = [
  { tool: "read_logs", input: { service: "api" }, does: { returns: "log {{nonce}}" } },
  { tool: "restart_service", input: { service: "db" }, does: { returns: "restarted {{nonce}}" } },
];
const refused = script([
  { text: "I will {{nonce}}", calls, stopReason: "refusal" },
  { text: "All is well. {{nonce}}" },
]);
const askedBefore = script([
  { calls: calls.slice(0, 1) },
  { text: "No more. {{nonce}}", calls: calls.slice(0, 1), stopReason: "refusal" },
]);

const anyCall = {
  on: ({ content }: { content: readonly { type: string }[] }) => content.some(({ type }) => type === "tool_use"),
};

lists(refusedToolCallRun, {
  has: [
    {
      name: "whatever is a tool_use is run",
      agent: loop(anyCall),
      script: refused,
      ends: "returned",
      says: ["`read_logs`", "toolu_", "`refusal`"],
      found: ["refused-tool-call-run"],
    },
    {
      name: "the second alone",
      agent: loop({ ...anyCall, calls: (all) => all.slice(1) }),
      script: refused,
      says: ["`restart_service`", '{"service":"db"}'],
    },
    { name: "a call that had been asked for before", agent: loop(anyCall), script: askedBefore },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...attentively(refused),
    ...attentively(askedBefore),
    {
      name: "the refusal ends the loop, whatever is in it",
      agent: loop({}),
      script: askedBefore,
      headline: null,
    },
  ],
});
