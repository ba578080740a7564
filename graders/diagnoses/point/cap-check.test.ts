import { expect, test } from "vitest";
import { capCheck } from "./cap-check.ts";

const lineOf = (text: string) => capCheck({ files: [{ name: "agent.ts", text }] }, 10)?.line ?? null;

test("the comparison with the cap, however the cap is written", () => {
  expect(lineOf("let n = 0;\nwhile (n <= 10) n++;")).toBe(2);
  expect(lineOf("const MAX = 10;\nfor (let i = 0; i <= MAX; i++) {}")).toBe(2);
  expect(lineOf("function f(max = 10, n = 0) {\n if (n > max) return;\n}")).toBe(2);
  expect(lineOf("let n = 0;\nif (n++ === 11) throw n;")).toBe(2);
  expect(lineOf("let left = 10;\nwhile (left >= 0) left--;")).toBe(2);
});

test("none where two might be meant", () => {
  expect(lineOf("let n = 0;\nif (n < 10) n++;\nif (n > 10) n--;")).toBeNull();
  expect(lineOf("if (a.length < 3) b();")).toBeNull();
});
