import { expect, test } from "vitest";
import { neverResolved } from "./promises.ts";

const lineOf = (text: string) => neverResolved({ files: [{ name: "agent.ts", text }] })?.line ?? null;

test("a promise whose function never touches its resolve is pointed at", () => {
  expect(lineOf("await tell();\nawait new Promise(() => {});")).toBe(2);
  expect(lineOf("await new Promise((resolve) => {\n  emitter.once('done', () => print());\n});")).toBe(1);
  expect(lineOf("await new Promise((_resolve, reject) => { run().then(print, reject); });")).toBe(1);
  expect(lineOf("await new Promise<void>(function (resolve) {});")).toBe(1);
});

test("one that may be resolved, by whatever path, is not", () => {
  expect(lineOf("await new Promise((resolve) => setTimeout(resolve, 5));")).toBeNull();
  expect(lineOf("await new Promise((resolve) => { if (ready) resolve(); });")).toBeNull();
  expect(lineOf("let open; await new Promise((resolve) => { open = resolve; });")).toBeNull();
  expect(lineOf("await new Promise((resolve) => { listeners.push({ resolve }); });")).toBeNull();
  expect(lineOf("await new Promise((...both) => run(...both));")).toBeNull();
  expect(lineOf("await new Promise(executor);")).toBeNull();
});

test("of several, none is pointed at", () => {
  expect(lineOf("await new Promise(() => {});\nawait new Promise(() => {});")).toBeNull();
});
