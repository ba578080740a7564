import { expect, test } from "vitest";
import { staleLoop } from "./stale-loop.ts";

const source = (body: string) => ({
  files: [
    {
      name: "agent.ts",
      text: `import { callModel } from "#harness";\nexport async function runAgent(u: string) {\n${body}\n}\n`,
    },
  ],
});
const found = (body: string) => {
  const stale = staleLoop(source(body), null);
  return stale && [stale.keyword, stale.spot.line, stale.variable, stale.cause, stale.culprit?.line ?? null];
};

test("a loop that never asks the model again", () => {
  expect(
    found("const response = await callModel({});\nwhile (response.stop_reason === 'tool_use') {\n  run(response);\n}"),
  ).toEqual(["while", 4, "response", "never", null]);
});

test("an answer that is thrown away", () => {
  expect(
    found(
      "const r = await callModel({});\nwhile (r.stop_reason === 'tool_use') {\n  run(r);\n  await callModel({});\n}",
    ),
  ).toEqual(["while", 4, "r", "discarded", 6]);
});

test("an answer kept under another name", () => {
  expect(
    found(
      "let r = await callModel({});\ndo {\n  const next = await callModel({});\n} while (r.stop_reason === 'tool_use');",
    ),
  ).toEqual(["do", 4, "r", "discarded", 5]);
});

test("a variable of the same name in the body", () => {
  expect(
    found(
      "const r = await callModel({});\nwhile (r.stop_reason === 'tool_use') {\n  const r = await callModel({});\n}",
    ),
  ).toEqual(["while", 4, "r", "shadowed", 5]);
});

test("an if in the body that would leave, through a list made from the reply", () => {
  expect(
    found(
      "const r = await callModel({});\nfor (;;) {\n  const calls = r.content.filter((b) => b.type === 'tool_use');\n  if (calls.length === 0) return r;\n  run(calls);\n}",
    ),
  ).toEqual(["if", 6, "r", "never", null]);
});

test("a list taken once from the first reply", () => {
  expect(
    found(
      "let r = await callModel({});\nconst calls = r.content.filter((b) => b.type === 'tool_use');\nwhile (calls.length > 0) {\n  r = await callModel({});\n}",
    ),
  ).toEqual(["while", 5, "calls", "discarded", 6]);
});

test("an assignment before the loop does not make it fresh", () => {
  expect(found("let r;\nr = await callModel({});\nwhile (r.stop_reason === 'tool_use') {\n  run(r);\n}")).toEqual([
    "while",
    5,
    "r",
    "never",
    null,
  ]);
});

test("no loop is stale where the variable is assigned in the body, in a helper, or declared afresh", () => {
  expect(
    found("let r = await callModel({});\nwhile (r.stop_reason === 'tool_use') {\n  r = await callModel({});\n}"),
  ).toBeNull();
  expect(
    found(
      "let r = await callModel({});\nconst step = async () => { r = await callModel({}); };\nwhile (r.stop_reason === 'tool_use') {\n  await step();\n}",
    ),
  ).toBeNull();
  expect(
    found("while (true) {\n  const r = await callModel({});\n  if (r.stop_reason !== 'tool_use') return r;\n}"),
  ).toBeNull();
  expect(
    found(
      "let r = await callModel({});\nfor (let i = 0; i < 10; i++) {\n  ({ r } = { r: await callModel({}) });\n  if (r.stop_reason !== 'tool_use') break;\n}",
    ),
  ).toBeNull();
});

test("the loop round the given line comes first; a file that does not parse is left out", () => {
  const body =
    "const a = await callModel({});\nwhile (a.x) {\n  run();\n}\nconst b = await callModel({});\nwhile (b.x) {\n  run();\n}";
  expect(staleLoop(source(body), { file: "agent.ts", line: 8, column: 1 })?.variable).toBe("b");
  expect(staleLoop({ files: [{ name: "agent.ts", text: "while (" }] }, null)).toBeNull();
});
