import { expect, test } from "vitest";
import { SOURCE_URL } from "../source-url.ts";
import { rewriteFrames, spotsOf } from "./frames.ts";
import type { Program } from "./program.ts";

/** Every position stands ten lines further up, but for the first ten lines, which nobody wrote. */
const program: Program = {
  code: "",
  exports: [],
  sites: [],
  restoreNames: (text) => text,
  locate: (line, column) => (line > 10 ? { file: "agent.ts", line: line - 10, column } : null),
  source: { files: [{ name: "agent.ts", text: "" }] },
};

const STACK = `TypeError: x is not a function
    at inner (${SOURCE_URL}:17:9)
    at helper (${SOURCE_URL}:3:1)
    at async runAgent (data:text/javascript;base64,Zm9v+/8=:21:5)
    at callModel (file:///kit/dist/runtime.mjs:1:2345)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`;

test("lists a stack's spots innermost first", () => {
  expect(spotsOf(STACK, program)).toEqual([
    { file: "agent.ts", line: 7, column: 9 },
    { file: "agent.ts", line: 11, column: 5 },
  ]);
});

test("does not take a message for a call", () => {
  expect(spotsOf(`Error: see ${SOURCE_URL}:20:1\n    at f (${SOURCE_URL}:15:2)`, program)).toEqual([
    { file: "agent.ts", line: 5, column: 2 },
  ]);
});

test("reads the trace of an interrupted program", () => {
  const trace = `KEYBOARD_INTERRUPT: Script execution was interrupted by \`SIGINT\`\n    at ${SOURCE_URL}:13:3\n    at node:internal/main:1:1`;
  expect(spotsOf(trace, program)).toEqual([{ file: "agent.ts", line: 3, column: 3 }]);
});

test("rewrites every place and keeps the rest of the text", () => {
  expect(rewriteFrames(STACK, program)).toBe(`TypeError: x is not a function
    at inner (agent.ts:7:9)
    at helper (agent.ts)
    at async runAgent (agent.ts:11:5)
    at callModel (file:///kit/dist/runtime.mjs:1:2345)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`);
  expect(rewriteFrames(`${SOURCE_URL}:12\nthrow x\n^`, program)).toBe("agent.ts:2\nthrow x\n^");
  expect(rewriteFrames("nothing of ours: other.mjs:12:3", program)).toBe("nothing of ours: other.mjs:12:3");
});

test("leaves out the calls outside the student's code when asked", () => {
  expect(rewriteFrames(STACK, program, { studentOnly: true })).toBe(`TypeError: x is not a function
    at inner (agent.ts:7:9)
    at async runAgent (agent.ts:11:5)`);
});

test("takes no time over a text made to cost it", () => {
  const hostile = `${"data:text/javascript,".repeat(3000)}${SOURCE_URL.repeat(3000)}${"a".repeat(100_000)}`;
  expect(rewriteFrames(hostile, program)).toBe(hostile);
});
