import { expect, test } from "vitest";
import { soleTimer } from "./timers.ts";

const lineOf = (text: string) => soleTimer({ files: [{ name: "agent.ts", text }] })?.line ?? null;

test("the one timer of a submission is found, called by itself or as a method", () => {
  expect(lineOf("const a = 1;\nawait new Promise((done) => setTimeout(done, 50));")).toBe(2);
  expect(lineOf("globalThis.setInterval(look, 10);")).toBe(1);
});

test("without a timer, or with several, there is no line", () => {
  expect(lineOf("const setTimeout = 3; wait(setTimeout);")).toBeNull();
  expect(lineOf("setTimeout(a, 1);\nsetTimeout(b, 2);")).toBeNull();
});
