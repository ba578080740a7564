import { expect, test } from "vitest";
import { converse } from "./conversation.ts";
import { bodyOf, promptOf } from "./rehearsal.ts";
import { openScenario } from "./scenario.ts";
import { parseScenario } from "./scenario-file.ts";

const call = (n: number) => ({ tool: "look", input: { n }, does: { returns: "{{nonce}}" } });
const scenario = openScenario(
  parseScenario(
    {
      title: "t",
      userInput: "go",
      tools: [{ name: "look", description: "looks", input_schema: { type: "object" } }],
      replies: [{ calls: [call(1), call(2)] }, { calls: [call(3)] }, { text: "{{nonce}}" }],
    },
    "t.json",
  ),
  { name: "t", seed: "s", lang: "en" },
);

test("tools that run elsewhere are seen by the first result that arrives for each call", () => {
  const talk = converse(scenario, "results");
  const messages: unknown[] = [promptOf(scenario)];
  const first = talk.send({ body: bodyOf(scenario, messages) }).message!;
  const ids = first.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  messages.push(
    { role: "assistant", content: first.content },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: ids[0], content: "sunny" },
        { type: "tool_result", tool_use_id: ids[1], content: [{ type: "text", text: "no link" }], is_error: true },
      ],
    },
  );
  talk.send({ body: bodyOf(scenario, messages) });
  talk.send({ body: bodyOf(scenario, messages) });
  const tools = talk.trace.filter(({ type }) => type === "tool-call" || type === "tool-result");
  expect(tools).toMatchObject([
    { type: "tool-call", call: 1, name: "look", input: { n: 1 }, answers: ids[0] },
    { type: "tool-result", call: 1, outcome: { kind: "value", value: "sunny", nonce: null } },
    { type: "tool-call", call: 2, name: "look", input: { n: 2 }, answers: ids[1] },
    { type: "tool-result", call: 2, outcome: { kind: "error", message: "no link" } },
  ]);
});

test("a result for what nobody asked is no run, and neither is any where tools run here", () => {
  const messages = [
    promptOf(scenario),
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_x", content: "y" }] },
  ];
  for (const seen of ["calls", "results"] as const) {
    const talk = converse(scenario, seen);
    talk.send({ body: bodyOf(scenario, messages) });
    expect(talk.trace.filter(({ type }) => type === "tool-call")).toEqual([]);
  }
});
