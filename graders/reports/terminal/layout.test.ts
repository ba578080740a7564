import fc from "fast-check";
import { expect, test } from "vitest";
import { bar, chop, hang, stack, table, widthOf, wrap } from "./layout.ts";

test("a text's width is what a terminal shows", () => {
  const widths: [string, number][] = [
    ["año ✓ │ «x»", 11],
    ["日本", 4],
    ["\u{1f600}", 2],
    ["e\u0301", 1],
    ["", 0],
  ];
  for (const [text, width] of widths) expect(widthOf(text), text).toBe(width);
});

test("rows break at spaces and keep the line's indentation", () => {
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("    one two three", 11)).toEqual(["    one two", "    three"]);
  expect(wrap("a\n\nb", 10)).toEqual(["a", "", "b"]);
  expect(wrap("averyverylongword x", 6)).toEqual(["averyv", "erylon", "gword", "x"]);
});

test("a command stays on one row where it fits", () => {
  expect(wrap("To see all: npx bucle check 2.3 --all-output", 40)).toEqual([
    "To see all:",
    "npx bucle check 2.3 --all-output",
  ]);
  expect(wrap("Then type npx bucle explain no-iteration-cap", 40)).toEqual([
    "Then type",
    "npx bucle explain no-iteration-cap",
  ]);
});

test("whatever is wrapped or chopped, no row is too wide and nothing but spaces is lost", () => {
  const text = fc.array(fc.oneof(fc.constantFrom(" ", "\n", "日本", "npx bucle check 2.3 "), fc.string()));
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 60 }), (parts, width) => {
      const given = parts.join("").replaceAll("\t", " ");
      const rows = wrap(given, width);
      expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(width);
      expect(rows.join("").replace(/\s/g, "")).toBe(given.replace(/\s/g, ""));
      const line = given.replaceAll("\n", " ");
      expect(chop(line, width).join("")).toBe(line);
      expect(Math.max(...chop(line, width).map(widthOf))).toBeLessThanOrEqual(width);
    }),
  );
});

test("a hanging text begins with its mark and goes on below it", () => {
  expect(hang("one two three", 9, "✗ ")).toEqual(["✗ one two", "  three"]);
  expect(hang("one two", 6, "- ", "| ")).toEqual(["- one", "| two"]);
});

test("a bar is full only when all is earned and empty only when nothing is", () => {
  expect(bar(0, 10, 4)).toBe("░░░░");
  expect(bar(1, 1000, 4)).toBe("█░░░");
  expect(bar(5, 10, 4)).toBe("██░░");
  expect(bar(999, 1000, 4)).toBe("███░");
  expect(bar(10, 10, 4)).toBe("████");
  expect(bar(0, 0, 4)).toBe("░░░░");
});

test("blocks stand apart by one empty row, and empty ones leave none", () => {
  expect(stack(["a"], [], ["b", "c"], [])).toEqual(["a", "", "b", "c"]);
});

test("a table aligns its second column, or takes two rows a pair where it does not fit", () => {
  const rows = [
    ["A hint", "npx bucle hint 2.3"],
    ["Go", "npx bucle check 2.3"],
  ] as const;
  expect(table(rows, 40, "  ")).toEqual(["  A hint   npx bucle hint 2.3", "  Go       npx bucle check 2.3"]);
  expect(table(rows, 25, "  ")).toEqual(["  A hint", "    npx bucle hint 2.3", "  Go", "    npx bucle check 2.3"]);
});
