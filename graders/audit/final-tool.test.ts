/** Loops that end when the model calls a tool made for its answer. */
import { expect, test } from "vitest";
import type { Agent } from "../testing/play.ts";
import type { ToolUseBlock } from "../trace/api.ts";
import { LANGS } from "../trace/text.ts";
import { audited } from "./testing/audited.ts";
import { callsOf, resultsOf, textOf } from "./testing/honest.ts";

const TOOLS = ["find_order", "submit_answer"].map((name) => ({
  name,
  input_schema: {
    type: "object",
    properties: { answer: { type: "string" }, sure: { type: "number" } },
    required: ["answer", "sure"],
  },
}));

/** @param hands what it makes of the call that ends it */
const submitting =
  (handsOver: (call: ToolUseBlock) => unknown): Agent =>
  async (hands) => {
    const messages: unknown[] = [{ role: "user", content: hands.userInput }];
    for (let left = 12; left > 0; left--) {
      const reply = await hands.callModel({ messages, tools: TOOLS });
      const submitted = callsOf(reply).find(({ name }) => name === "submit_answer");
      if (reply.stop_reason === "tool_use" && submitted) return handsOver(submitted);
      if (reply.stop_reason === "end_turn") return { answer: textOf(reply) };
      if (reply.stop_reason !== "tool_use") throw new Error(`Stopped: ${reply.stop_reason}`);
      messages.push({ role: "assistant", content: reply.content });
      messages.push({ role: "user", content: await resultsOf(hands, reply) });
    }
    throw new Error("Too many turns");
  };

async function failing(agent: Agent, leaveTools: string[] = []) {
  const made = await audited(agent, { settings: { leaveTools } });
  if (!made.ok) throw new Error(made.why.en);
  return { ...made.report, fails: made.report.behaviours.filter(({ status }) => status === "fails") };
}

test.each<[string, (call: ToolUseBlock) => unknown]>([
  ["the input", ({ input }) => input],
  ["an object that holds it", ({ input }) => ({ output: input, steps: 3 })],
  ["a field of it", ({ input }) => (input as { answer: string }).answer],
])(
  "where a loop ends by a tool and returns %s, each failure says how to leave it; left, none fails",
  async (_what, hands) => {
    const { fails } = await failing(submitting(hands));
    expect(fails.length).toBeGreaterThan(0);
    for (const { next } of fails)
      for (const lang of LANGS) expect(next?.[lang]).toContain("--leave-tool submit_answer");
    const left = await failing(submitting(hands), ["submit_answer"]);
    expect(left.fails).toEqual([]);
    expect(left.tools.list).toMatchObject([{ called: true }, { name: "submit_answer", called: false }]);
  },
);

test("a loop that just ends at a call is told what it is told otherwise", async () => {
  const { fails } = await failing(submitting(() => "Done."));
  expect(fails.length).toBeGreaterThan(0);
  for (const { next } of fails) expect(next?.en).not.toContain("--leave-tool");
});

test("with every tool left there is nothing to try calls with", async () => {
  const { behaviours } = await failing(
    submitting(() => "Done."),
    TOOLS.map(({ name }) => name),
  );
  expect(behaviours.find(({ id }) => id === "parallel-calls")).toMatchObject({ status: "not-applicable" });
});
