import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const NAMES = [
  "busy-loop",
  "dropped-tool-result",
  "duplicate-tool-result",
  "idle-loop",
  "missing-assistant-turn",
  "missing-reassignment",
  "orphaned-tool-result",
  "threw",
];

test.each([
  ["missing-reasignment", ["missing-reassignment"]],
  ["misisng-reassignment", ["missing-reassignment"]],
  ["Busy-Loop", ["busy-loop"]],
  ["reassignment", ["missing-reassignment"]],
  ["dropped-result", ["dropped-tool-result"]],
  ["loop-busy", ["busy-loop"]],
  ["therw", ["threw"]],
])("%s is taken for %s", (typed, [likeliest]) => {
  expect(nearest(typed, NAMES)[0]).toBe(likeliest);
});

test("no more than asked for, likeliest first", () => {
  expect(nearest("tool-result", NAMES, 2)).toHaveLength(2);
  expect(nearest("idle-lop", NAMES, 1)).toEqual(["idle-loop"]);
});

test("what is like nothing gets no suggestion", () => {
  for (const typed of ["", "x", "weather", "2.3", "--", "ñandú"]) expect(nearest(typed, NAMES)).toEqual([]);
});
