import type { CodeFrame } from "../../grading/grade.ts";
import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { splitLines } from "./lines.ts";
import { withoutControls } from "./wording.ts";

/** Longest line of a frame, in characters; what is left out on either side is one `…`. */
const WIDTH = 120;
/** How much of a long line stands before the column. */
const BEFORE = 60;

/**
 * The lines round a spot, ready to print: no control characters, none too long.
 * @param around lines before and after
 * A long line is cut round the spot; the lines round it keep their beginning, which says what they are.
 * @returns null when the file or the line is not there. `column` points into the cut line.
 */
export function codeFrame(source: Source, spot: Spot, around = 2): CodeFrame | null {
  const file = source.files.find(({ name }) => name === spot.file);
  const all = file ? splitLines(file.text) : [];
  if (spot.line < 1 || spot.line > all.length) return null;
  const first = Math.max(1, spot.line - around);
  const from = spot.column > WIDTH ? spot.column - 1 - BEFORE : 0;
  return {
    file: spot.file,
    first,
    line: spot.line,
    column: from > 0 ? spot.column - from + 1 : spot.column,
    lines: all
      .slice(first - 1, spot.line + around)
      .map((line, index) => cut(line, first + index === spot.line ? from : 0)),
  };
}

function cut(line: string, from: number): string {
  const kept = withoutControls(line.slice(from, from + WIDTH));
  const before = from > 0 && line.length > 0 ? "…" : "";
  return before + withoutHalves(kept) + (line.length > from + WIDTH ? "…" : "");
}

/** A cut may go through a surrogate pair: half a character becomes a space. */
function withoutHalves(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, " ");
}
