import type { Printed } from "../../trace/run.ts";
import { clean, fold } from "../clean.ts";
import { counted } from "../words.ts";
import { chop, expandTabs, hang } from "./layout.ts";
import type { Page } from "./page.ts";

/** Lines shown from the start and from the end when there are too many to show. */
export const HEAD_LINES = 12;
export const TAIL_LINES = 8;

/**
 * What a run printed, each row behind a bar, so that it can be taken neither for the report nor for a command of the
 * terminal it is shown in. Head and tail, and between them how much is left out and what shows it.
 */
export function printedRows(
  page: Page,
  printed: Printed,
  { exercise, showAll, indent }: { exercise: string; showAll: boolean; indent: string },
): string[] {
  const head = linesOf(printed.head);
  const tail = linesOf(printed.tail);
  if (showAll) return [...show(head), ...notKept(), ...show(tail)];
  const all = [...head, ...tail];
  if (printed.omittedLines === 0 && all.length <= HEAD_LINES + TAIL_LINES) return show(all);
  const first = (printed.omittedLines > 0 ? head : all).slice(0, HEAD_LINES);
  const last = (printed.omittedLines > 0 ? tail : all).slice(-TAIL_LINES);
  const left = all.length + printed.omittedLines - first.length - last.length;
  return [...show(first), ...leftOut(left), ...show(last)];

  function show(lines: readonly string[]): string[] {
    const edge = `${indent}${page.ink.dim("│")} `;
    const room = page.width - indent.length - 2;
    return lines
      .map((line) => expandTabs(showAll ? line : fold(line, page.lang)))
      .flatMap((line) => chop(line, room))
      .map((row) => (edge + row).trimEnd());
  }
  function leftOut(lines: number): string[] {
    const command = `npx bucle check ${exercise} --all-output`;
    const said = `${counted.moreLines(lines)[page.lang]} ${command}`;
    return hang(said, page.width, `${indent}⋮ `).map((row) => page.ink.dim(row));
  }
  function notKept(): string[] {
    if (printed.omittedLines === 0) return [];
    return hang(counted.linesNotKept(printed.omittedLines)[page.lang], page.width, `${indent}⋮ `).map((row) =>
      page.ink.dim(row),
    );
  }
}

/** Whether a run printed anything at all. */
export function hasPrinted(printed: Printed): boolean {
  return printed.head.length + printed.tail.length + printed.omittedLines > 0;
}

function linesOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => clean(line).split("\n"));
}
