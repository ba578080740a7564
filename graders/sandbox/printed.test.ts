import { expect, test } from "vitest";
import { PRINT_HEAD_LINES, PRINT_TAIL_LINES } from "./limits.ts";
import { collectPrinting } from "./printed.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

test("a little output is kept whole, a last line without an end too", () => {
  const printing = collectPrinting();
  printing.add("one\ntw");
  printing.add("o\nthree");
  expect(printing.end()).toEqual({ head: ["one", "two", "three"], tail: [], omittedLines: 0 });
});

test("of much output the first lines and the last are kept, and the rest is counted", () => {
  const printing = collectPrinting();
  printing.add(numbered(1000), 7);
  const { head, tail, omittedLines } = printing.end();
  expect([head.length, tail.length]).toEqual([PRINT_HEAD_LINES, PRINT_TAIL_LINES]);
  expect([head[0], tail.at(-1)]).toEqual(["line 1", "line 1000"]);
  expect(omittedLines).toBe(1000 - PRINT_HEAD_LINES - PRINT_TAIL_LINES + 7);
});

test("all of it is kept when all is asked for", () => {
  const printing = collectPrinting(true);
  printing.add(numbered(1000));
  expect(printing.end().head).toHaveLength(1000);
});

test("a line without an end is cut, and says by how much", () => {
  const printing = collectPrinting();
  printing.add(`${"x".repeat(10_000)}\n`);
  expect(printing.end().head[0]).toMatch(/^x{4000}… \(\+6000\)$/);
});
