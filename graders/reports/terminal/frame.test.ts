import { expect, test } from "vitest";
import type { CodeFrame } from "../../grading/grade.ts";
import { frameRows } from "./frame.ts";
import { openPage } from "./page.ts";

const page = openPage({ lang: "en", colour: false, columns: 60 });

function frame(own: Partial<CodeFrame>): CodeFrame {
  return { file: "agent.ts", first: 1, line: 1, column: 1, lines: ["x"], ...own };
}

test("without a spot there is nothing, without lines there is the place alone", () => {
  expect(frameRows(page, null, null, "  ")).toEqual([]);
  expect(frameRows(page, { file: "agent.ts", line: 7, column: 2 }, null, "  ")).toEqual(["  agent.ts:7"]);
});

test("line numbers are aligned and the caret stands under the column", () => {
  const given = frame({ first: 9, line: 10, column: 5, lines: ["a", "let ñandú = 1;", "c"] });
  expect(frameRows(page, null, given, "")).toEqual([
    "agent.ts:10",
    "   9 │ a",
    "> 10 │ let ñandú = 1;",
    "     │     ^",
    "  11 │ c",
  ]);
});

test("tabs, wide and invisible characters before the column do not move the caret", () => {
  const lines = ["\t日\u200b\u001b[31m\ud800x = 1"];
  const column = (lines[0]?.indexOf("x") ?? 0) + 1;
  expect(frameRows(page, null, frame({ column, lines }), "")).toEqual(["agent.ts:1", "> 1 │   日x = 1", "    │     ^"]);
});

test("a line wider than the terminal goes on below, with the caret under its own row", () => {
  const lines = [`${"a".repeat(60)}B${"c".repeat(60)}`];
  const rows = frameRows(page, null, frame({ column: 61, lines }), "");
  expect(rows.slice(1)).toEqual([
    `> 1 │ ${"a".repeat(54)}`,
    `    │ ${"a".repeat(6)}B${"c".repeat(47)}`,
    `    │ ${" ".repeat(6)}^`,
    `    │ ${"c".repeat(13)}`,
  ]);
});

test("of a huge line the part round the spot is shown, and that it is a part is said", () => {
  const lines = [`${"a".repeat(30_000)}B${"c".repeat(30_000)}`];
  const rows = frameRows(page, null, frame({ column: 30_001, lines }), "");
  const code = rows.filter((row) => row.includes("│") && !row.includes("^"));
  const shown = code.map((row) => row.slice(6)).join("");
  expect(shown).toMatch(/^…a{120}Bc{119}…$/);
  const caret = rows.findIndex((row) => row.includes("^"));
  expect(rows[caret - 1]?.[rows[caret]?.indexOf("^") ?? 0]).toBe("B");
  expect(rows.slice(-2).join(" ")).toContain("long lines are shown in part");
});

test("a column past the end of its line still has a caret", () => {
  expect(frameRows(page, null, frame({ column: 40, lines: ["x ="] }), "").at(-1)).toBe("    │    ^");
});
