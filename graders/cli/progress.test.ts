import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { progressOn } from "./progress.ts";

test.each([
  ["es", "1 de 24 comportamientos…"],
  ["en", "1 of 24 behaviours…"],
] as const)("a line at a terminal, written over at each step and gone at the end: %s", (lang, words) => {
  const written: string[] = [];
  const progress = progressOn({ isTTY: true, write: (text) => written.push(text) }, lang, 24);
  progress?.step();
  expect(stripVTControlCharacters(written.at(-1) ?? "").trim()).toBe(words);
  progress?.end();
  expect(written).toHaveLength(3);
  for (const text of written) expect([text.startsWith("\r\x1b[K"), text.includes("\n")]).toEqual([true, false]);
  expect(written.at(-1)).toBe("\r\x1b[K");
});

test("nothing where there is no terminal", () => {
  const written: string[] = [];
  expect(progressOn({ write: (text) => written.push(text) }, "en", 24)).toBe(null);
  expect(written).toEqual([]);
});
