import { expect, test } from "vitest";
import type { Printed } from "../../trace/run.ts";
import { openPage } from "./page.ts";
import { HEAD_LINES, printedRows, TAIL_LINES } from "./printed.ts";

const page = openPage({ lang: "en", colour: false, columns: 80 });
const rowsOf = (printed: Printed, showAll = false) =>
  printedRows(page, printed, { exercise: "2.3", showAll, indent: "" });
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

test("a few lines are shown whole, each behind a bar", () => {
  expect(rowsOf({ head: ["a", "", "  b"], tail: ["c"], omittedLines: 0 })).toEqual(["│ a", "│", "│   b", "│ c"]);
});

test("of many lines head and tail stay, with the number left out and what shows them", () => {
  const rows = rowsOf({ head: lines(1, 40), tail: [], omittedLines: 0 });
  expect(rows).toHaveLength(HEAD_LINES + 1 + TAIL_LINES);
  expect(rows[HEAD_LINES - 1]).toBe("│ line 12");
  expect(rows[HEAD_LINES]).toBe("⋮ 20 more lines. To see them: npx bucle check 2.3 --all-output");
  expect(rows[HEAD_LINES + 1]).toBe("│ line 33");
  expect(rows.at(-1)).toBe("│ line 40");
});

test("lines that were never kept are counted with those left out", () => {
  const rows = rowsOf({ head: lines(1, 20), tail: lines(1021, 1030), omittedLines: 1000 });
  expect(rows[HEAD_LINES]).toContain("1010 more lines.");
  expect(rows.at(-1)).toBe("│ line 1030");
});

test("asked for all, all that was kept is shown, and that some was not is said", () => {
  const rows = rowsOf({ head: lines(1, 20), tail: lines(1021, 1030), omittedLines: 1000 }, true);
  expect(rows).toHaveLength(31);
  expect(rows[20]).toBe("⋮ 1000 lines were not kept: it is too much text.");
});

test("a long line is broken into rows, none of them without its bar", () => {
  const rows = rowsOf({ head: [`::error::${"x".repeat(200)}`], tail: [], omittedLines: 0 });
  expect(rows).toHaveLength(3);
  expect(rows.every((row) => row.startsWith("│ ") && row.length <= 80)).toBe(true);
  expect(rows.map((row) => row.slice(2)).join("")).toBe(`::error::${"x".repeat(200)}`);
});

test("a huge line is folded with a note, and shown whole when asked for all", () => {
  const printed = { head: ["x".repeat(5000)], tail: [], omittedLines: 0 };
  const text = (rows: string[]) => rows.map((row) => row.slice(2)).join("");
  expect(text(rowsOf(printed))).toBe(`${"x".repeat(2000)}… (3000 more characters)`);
  expect(text(rowsOf(printed, true))).toBe("x".repeat(5000));
});

test("a line separator inside a line begins a row of its own, behind its own bar", () => {
  expect(rowsOf({ head: ["a\u2028::error::b"], tail: [], omittedLines: 0 })).toEqual(["│ a", "│ ::error::b"]);
});
