import { expect, test } from "vitest";
import {
  asyncForEach,
  asyncMap,
  firstCallOnly,
  isAwaitedThere,
  isPassedOnce,
  raceOfList,
  unawaitedHelper,
  unawaitedModelCall,
} from "./patterns.ts";

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

test("first call only: where it looks again at the one it took, or takes so many", () => {
  const found = "const call = r.content.find((b) => b.type === 'tool_use');\nif (call?.type === 'tool_use') run(call);";
  expect(line(firstCallOnly, found)).toBe(1);
  expect(line(firstCallOnly, `${found}\nif (other.type === 'tool_use') run(other);`)).toBeNull();
  expect(line(firstCallOnly, "const calls = r.content.filter((b) => b.type === 'tool_use').slice(0, 2);")).toBe(1);
  expect(
    line(firstCallOnly, "const calls = r.content.filter((b) => b.type === 'tool_use').slice(0, most);"),
  ).toBeNull();
  expect(line(firstCallOnly, "const calls = r.content.filter((b) => b.type === 'tool_use').slice();")).toBeNull();
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

test("a promise handed on is waited for only by a function that awaits it", () => {
  const set = "let r = await callModel({});\nr = callModel({});\n";
  expect(line(unawaitedModelCall, `${set}await Promise.all(r.content.map((b) => run(b)));`)).toBe(2);
  expect(line(unawaitedModelCall, `${set}const f = async (m) => m.content[0];\nawait f(r);`)).toBe(2);
  expect(line(unawaitedModelCall, `${set}const f = async (m) => (await m).content[0];\nawait f(r);`)).toBeNull();
  expect(line(unawaitedModelCall, `${set}await withTimeout(r);`)).toBeNull();
  expect(line(unawaitedModelCall, `${set}r.then((m) => use(m));`)).toBeNull();
  expect(line(unawaitedModelCall, `${set}await Promise.race([r, late]);`)).toBeNull();
});

test("what is taken from a promise at once is not waited for", () => {
  expect(line(unawaitedModelCall, "const { content } = callModel({});")).toBe(1);
  expect(line(unawaitedModelCall, "const { content } = await callModel({});")).toBeNull();
  expect(line(unawaitedModelCall, "use(callModel({}).content);")).toBe(1);
  expect(line(unawaitedModelCall, "use((await callModel({})).content);")).toBeNull();
});

test("of several calls, the one that made the request", () => {
  const text = "const a = await callModel({});\nconst b = callModel({\n  messages,\n});";
  const made = (number: number, of = text) => {
    const spot = { file: "agent.ts", line: number, column: 1 };
    return unawaitedModelCall(source(of), spot)?.line ?? null;
  };
  expect([made(1), made(2), made(3)]).toEqual([null, 2, 2]);
  const helped = "async function ask(m) {\n  return callModel({ m });\n}\nconst a = await ask(1);\nconst b = ask(2);";
  expect([made(2, helped), made(4, helped)]).toEqual([5, null]);
});

test("an async callback given to forEach", () => {
  expect(line(asyncForEach, "calls\n  .forEach(async (call) => { await run(call); });")).toBe(2);
  expect(line(asyncForEach, "calls.forEach((call) => run(call));")).toBeNull();
});

test("a function that asks the model, set off by a statement that does not wait for it", () => {
  const step = "async function step() {\n  const r = await callModel({});\n  NEXT\n}\nawait step();";
  const made = (line: number) => ({ file: "agent.ts", line, column: 1 });
  const helper = (next: string, line: number | null = 2) =>
    unawaitedHelper(source(step.replace("NEXT", next)), line === null ? null : made(line));
  for (const next of ["step();", "void step();", "step().catch(report);"])
    expect(helper(next)).toEqual({ at: expect.objectContaining({ line: 3 }), name: "step" });
  expect(helper("step();", null)?.at.line).toBe(3);
  for (const next of ["return step();", "await step();", "report();", "step(); step();"])
    expect(helper(next)).toBeNull();
  expect(helper("step();", 5)).toBeNull();
  expect(isAwaitedThere(source(step), made(2))).toBe(true);
  expect(isAwaitedThere(source("\nconst r = callModel({});"), made(2))).toBe(false);
});

test("a map of promises that nobody waits for, and a race in which only the first counts", () => {
  const map = "calls.map(async (c) => ({ content: await executeTool(c.name, c.input) }))";
  expect(line(asyncMap, `\nsend({ role: "user", content: ${map} });`)).toBe(2);
  expect(line(asyncMap, `\nconst results = ${map};\nsend({ content: results });`)).toBe(2);
  expect(line(asyncMap, `const results = ${map};\nsend({ content: await Promise.all(results) });`)).toBeNull();
  expect(line(asyncMap, `const results = await Promise.all(${map});`)).toBeNull();
  expect(line(asyncMap, `const run = () => ${map};`)).toBeNull();
  expect(line(asyncMap, "const later = items.map(async (i) => i);")).toBeNull();
  expect(line(raceOfList, `\nresults.push(await Promise.race(${map}));`)).toBe(2);
  expect(line(raceOfList, "await Promise.race([executeTool(name, input), late]);")).toBeNull();
});

test("a line that the code comes by once", () => {
  const text =
    "async function runAgent() {\n  ask();\n  while (on) {\n    ask();\n  }\n  const f = () =>\n    ask();\n}\nask();";
  const once = (line: number) => isPassedOnce(source(text), { file: "agent.ts", line, column: 1 });
  expect([2, 4, 7, 9].map(once)).toEqual([true, false, false, false]);
});
