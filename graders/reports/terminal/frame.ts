import type { CodeFrame } from "../../grading/grade.ts";
import type { Spot } from "../../trace/events.ts";
import { clean, cleanName } from "../clean.ts";
import { words } from "../words.ts";
import { chop, expandTabs, hang, widthOf } from "./layout.ts";
import type { Page } from "./page.ts";

/** Most of a source line that is shown, in UTF-16 units: the part round the spot. */
const LONGEST_CODE = 240;

/** `file:line`, then the source lines round it with a gutter and a caret under the spot. Empty without a spot. */
export function frameRows(page: Page, at: Spot | null, frame: CodeFrame | null, indent: string): string[] {
  const place = frame ?? at;
  if (place === null) return [];
  const heading = `${indent}${page.ink.cyan(spotName(place))}`;
  if (frame === null) return [heading];
  const gutter = String(frame.first + frame.lines.length - 1).length;
  const rows = frame.lines.flatMap((text, index) => lineRows(page, frame, frame.first + index, text, indent, gutter));
  const shortened = frame.lines.some((text) => text.length > LONGEST_CODE);
  const note = shortened
    ? hang(words.longLines[page.lang], page.width, `${indent}  `).map((row) => page.ink.dim(row))
    : [];
  return [heading, ...rows, ...note];
}

/** `file:line`, from untrusted names. */
export function spotName({ file, line }: { file: string; line: number }): string {
  return `${cleanName(file)}:${line}`;
}

function lineRows(
  page: Page,
  frame: CodeFrame,
  number: number,
  text: string,
  indent: string,
  gutter: number,
): string[] {
  const here = number === frame.line;
  const edge = ` ${page.ink.dim("│")} `;
  const mark = here ? page.ink.red(">") : " ";
  const label = String(number).padStart(gutter);
  const first = `${indent}${mark} ${here ? label : page.ink.dim(label)}${edge}`;
  const rest = `${indent}  ${" ".repeat(gutter)}${edge}`;
  const room = Math.max(10, page.width - indent.length - 2 - gutter - 3);
  const { shown, before } = part(text, here ? frame.column : 1);
  const rows = chop(shown, room).map((row, index) => `${index === 0 ? first : rest}${row}`.trimEnd());
  if (!here) return rows;
  const caretRow = Math.min(Math.floor(before / room), rows.length - 1);
  const caret = `${rest}${" ".repeat(before - caretRow * room)}${page.ink.red("^")}`;
  return [...rows.slice(0, caretRow + 1), caret, ...rows.slice(caretRow + 1)];
}

/** The part of a line to show, and the columns of it that stand before the spot. Indentation only has to look right. */
function part(text: string, column: number): { shown: string; before: number } {
  const start =
    text.length <= LONGEST_CODE ? 0 : Math.max(0, Math.min(column - 1 - LONGEST_CODE / 2, text.length - LONGEST_CODE));
  const end = text.length <= LONGEST_CODE ? text.length : start + LONGEST_CODE;
  const open = start > 0 ? "…" : "";
  const close = end < text.length ? "…" : "";
  return {
    shown: oneRow(`${open}${text.slice(start, end)}${close}`),
    before: widthOf(oneRow(`${open}${text.slice(start, Math.max(start, column - 1))}`)),
  };
}

function oneRow(text: string): string {
  return expandTabs(clean(text).replaceAll("\n", " "));
}
