/** Loops that come away before any tool is run: nothing that is about tools may be said to hold in them, or to fail. */
import { expect, test } from "vitest";
import type { Agent } from "../testing/play.ts";
import { behaviours } from "./audit.ts";
import { callsOf } from "./testing/honest.ts";
import { loop } from "./testing/loops.ts";
import { playRow } from "./testing/rows.ts";

const answering = (content: string): Agent =>
  loop({
    answer: (reply) => reply,
    results: (_, reply) =>
      callsOf(reply).map(({ id }) => ({ type: "tool_result", tool_use_id: id, content, is_error: true })),
  });

const LOOPS: Readonly<Record<string, Agent>> = {
  "it throws": loop({
    answer: (reply) => reply,
    results: () => {
      throw new Error("No runner is set");
    },
  }),
  "it returns": loop({ on: () => false, answer: (reply) => reply }),
  "it turns every call down": answering("Not allowed here"),
  "it does not find a tool that it offers": answering("Unknown tool"),
  "it fails before it gets to its tools": answering('"[object Object]" is not valid JSON'),
};

/** What each demands of a call: that its tool runs, or that one is left alone. */
const ABOUT_TOOLS = [
  "parallel-calls",
  "no-text-turn",
  "tool-throws",
  "one-of-two-throws",
  "endless-model",
  "truncated-call",
  "refusal-with-call",
];

for (const tools of ["kit", "stubbed"] as const) {
  for (const [name, agent] of Object.entries(LOOPS)) {
    test.each(ABOUT_TOOLS)(`${name} (tools: ${tools}): %s cannot be seen`, async (id) => {
      const behaviour = behaviours.find((each) => each.id === id)!;
      const { verdict } = await playRow(behaviour, { agent, tools });
      expect(verdict?.status, verdict?.message.en).toBe("not-observable");
    });
  }
}

test.each([
  ["it throws", "fails", "No runner is set"],
  ["it returns", "fails", "still waiting for results"],
  ["it turns every call down", "not-observable", "the stand-in for `read_logs` was not asked.*`Not allowed here`"],
  ["it does not find a tool that it offers", "fails", "No tool got to be run.*`Unknown tool`"],
  ["it fails before it gets to its tools", "fails", "No tool got to be run.*is not valid JSON"],
])("the plainest conversation says why: %s", async (name, status, words) => {
  const { verdict } = await playRow(behaviours[0]!, { agent: LOOPS[name]!, tools: "stubbed" });
  expect(behaviours[0]?.id).toBe("rounds");
  expect(verdict?.status).toBe(status);
  expect(verdict?.message.en).toMatch(new RegExp(words));
});

test.each(["it throws", "it returns"])("a made-up tool is no reason of its own: %s", async (name) => {
  const behaviour = behaviours.find(({ id }) => id === "unknown-tool")!;
  const { verdict } = await playRow(behaviour, { agent: LOOPS[name]!, tools: "own" });
  expect(verdict?.status).toBe("not-observable");
});
