import { expect, test } from "vitest";
import { catchOfModel, emptyCatchOfTool } from "./swallowed.ts";

const lineOf = (lines: readonly string[], made: number | null = null) =>
  catchOfModel(
    { files: [{ name: "agent.ts", text: lines.join("\n") }] },
    made === null ? null : { file: "agent.ts", line: made, column: 1 },
  )?.line ?? null;

test("the catch round a call of the model is pointed at, and no other", () => {
  const tools = ["try {", "  await executeTool(name, input);", "} catch {}"];
  expect(lineOf([...tools, "try {", "  response = await callModel({ messages });", "} catch {", "}"], 5)).toBe(6);
  expect(lineOf(["const response = await callModel({ messages })", "  .catch(() => null);"], 1)).toBe(2);
  expect(lineOf([...tools, "await callModel({ messages });"], 4)).toBeNull();
});

test("so is one round a helper that calls it", () => {
  const helper = ["const ask = () => callModel({ messages });", "try {", "  await ask();", "} catch {}"];
  expect(lineOf(helper, 1)).toBe(4);
});

test("of several, the innermost round the request; none where that cannot be told", () => {
  const lines = [
    "try {",
    "  try {",
    "    await callModel({ messages });",
    "  } catch {}",
    "} catch {}",
    "await callModel({ messages: [] }).catch(() => {});",
  ];
  expect(lineOf(lines, 3)).toBe(4);
  expect(lineOf(lines, 6)).toBe(6);
  expect(lineOf(lines)).toBeNull();
});

test("the empty catch round the run of a tool, unless there are several", () => {
  const at = (...lines: string[]) =>
    emptyCatchOfTool({ files: [{ name: "agent.ts", text: lines.join("\n") }] })?.line ?? null;
  const silent = ["try {", "  results.push((await executeTool(name, input)).trim());", "} catch {}"];
  expect(at(...silent)).toBe(3);
  expect(at(...silent, ...silent)).toBeNull();
  expect(at("try { await executeTool(name, input); } catch { results.push(failed); }")).toBeNull();
  expect(at("try { await callModel({ messages }); } catch {}")).toBeNull();
});
