import { expect, test } from "vitest";
import { asyncForEach, firstCallOnly, unawaitedModelCall } from "./patterns.ts";

const source = (text: string) => ({ files: [{ name: "agent.ts", text }] });
const line = (point: typeof firstCallOnly, text: string) => point(source(text))?.line ?? null;

test("first call only: where the source takes one call of a reply", () => {
  expect(
    line(
      firstCallOnly,
      "while (r.stop_reason === 'tool_use') {\n  const call = r.content.find((b) => b.type === 'tool_use');\n}",
    ),
  ).toBe(2);
  expect(line(firstCallOnly, "const call = r.content.filter((b) => b.type === 'tool_use')[0];")).toBe(1);
  expect(line(firstCallOnly, "const [call] = r.content.filter((b) => b.type === 'tool_use');")).toBe(1);
});

test("first call only: not where all calls are read somewhere", () => {
  expect(
    line(
      firstCallOnly,
      "const has = r.content.find((b) => b.type === 'tool_use');\nfor (const b of r.content) if (b.type === 'tool_use') run(b);",
    ),
  ).toBeNull();
  expect(line(firstCallOnly, "const calls = r.content.filter((b) => b.type === 'tool_use');")).toBeNull();
  expect(line(firstCallOnly, "while (r.content.some((b) => b.type === 'tool_use')) {}")).toBeNull();
  expect(line(firstCallOnly, "const text = r.content.find((b) => b.type === 'text');")).toBeNull();
});

test("a model call whose promise nobody waits for", () => {
  expect(line(unawaitedModelCall, "async function f() {\n  const r = callModel({});\n  return r;\n}")).toBe(2);
  expect(line(unawaitedModelCall, "const r = await callModel({});")).toBeNull();
  expect(line(unawaitedModelCall, "const p = callModel({});\nconst r = await p;")).toBeNull();
  expect(line(unawaitedModelCall, "const s = client.messages.stream({});")).toBeNull();
});

test("an async callback given to forEach", () => {
  expect(line(asyncForEach, "calls\n  .forEach(async (call) => { await run(call); });")).toBe(2);
  expect(line(asyncForEach, "calls.forEach((call) => run(call));")).toBeNull();
});
