import { expect, test } from "vitest";
import { isProperPart } from "./part.ts";

const whole = { path: "/var/log", lines: 120, tags: ["a", "b"], deep: { on: true } };

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["no keys", {}],
  ["fewer keys", { path: "/var/log" }],
  ["the start of a text", { ...whole, path: "/var" }],
  ["the start of a number", { ...whole, lines: 12 }],
  ["fewer items", { ...whole, tags: ["a"] }],
  ["fewer keys further down", { ...whole, deep: {} }],
  ["a piece of its JSON", '{"path":"/va'],
  ["a piece from its middle", 'r/log","li'],
])("a part: %s", (_, part) => {
  expect(isProperPart(part, whole)).toBe(true);
});

test.each<[string, unknown]>([
  ["all of it, in another order", { deep: { on: true }, tags: ["a", "b"], lines: 120, path: "/var/log" }],
  ["all of its JSON", JSON.stringify(whole)],
  ["another value", { ...whole, lines: 7 }],
  ["another key", { path: "/var/log", more: 1 }],
  ["other words", "delete everything"],
  ["more items", { ...whole, tags: ["a", "b", "c"] }],
])("not a part: %s", (_, part) => {
  expect(isProperPart(part, whole)).toBe(false);
});

test("of an empty input nothing is a part", () => {
  expect(isProperPart(undefined, {})).toBe(false);
  expect(isProperPart({}, {})).toBe(false);
});
