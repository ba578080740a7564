/** Text laid out in columns. All of it takes cleaned text without colour: colour is put on whole rows, afterwards. */

const ONE_COLUMN_EACH = /^[\x20-\x7e\u00a1-\u02ff\u2010-\u25ff\u2713\u2717]*$/;
const TWO_COLUMNS =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
/** A command to type, which stays on one row where it fits: a pasted half of it would do something else. */
const COMMAND = /npx bucle [a-z]+(?: (?:[\d.]+|--[a-z-]+|[a-z]+-[a-z-]+))*/g;
const KEPT_SPACE = "\u00a0";
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Columns a text takes in a terminal. */
export function widthOf(text: string): number {
  if (ONE_COLUMN_EACH.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += TWO_COLUMNS.test(segment) ? 2 : 1;
  return width;
}

/** Rows of at most `width` columns, broken anywhere: for text whose every space counts. Never loses a character. */
export function chop(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const rows: string[] = [];
  let row = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const columns = widthOf(segment);
    if (used + columns > width && row !== "") {
      rows.push(row);
      row = "";
      used = 0;
    }
    row += segment;
    used += columns;
  }
  return [...rows, row];
}

/**
 * Rows of at most `width` columns, broken at spaces; a word longer than a row is broken inside. A line's own indentation
 * is kept on its continuation rows.
 */
export function wrap(text: string, width: number): string[] {
  return expandTabs(text)
    .split("\n")
    .flatMap((line) => wrapLine(line, width));
}

/** Tabs as two spaces, so that a column can be counted. */
export function expandTabs(text: string): string {
  return text.replaceAll("\t", "  ");
}

/** `text` on rows that begin with `first` and then with `rest` (by default as many spaces), `width` columns in all. */
export function hang(text: string, width: number, first: string, rest = " ".repeat(widthOf(first))): string[] {
  const room = Math.max(1, width - widthOf(first));
  return wrap(text, room).map((row, index) => `${index === 0 ? first : rest}${row}`.trimEnd());
}

/** `earned` of `possible` as a bar of `cells`: full only when all is earned, empty only when nothing is. */
export function bar(earned: number, possible: number, cells: number): string {
  const share = possible === 0 ? 0 : earned / possible;
  const rounded = Math.round(share * cells);
  const full = share <= 0 ? 0 : share >= 1 ? cells : Math.min(cells - 1, Math.max(1, rounded));
  return "█".repeat(full) + "░".repeat(cells - full);
}

/** Blocks of rows with one empty row between them; empty blocks leave no gap. */
export function stack(...blocks: string[][]): string[] {
  return blocks.filter((block) => block.length > 0).flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

/** Rows of two columns, the second aligned: a label and a command. A pair too wide for a row takes two. */
export function table(rows: readonly (readonly [string, string])[], width: number, indent: string): string[] {
  const label = Math.max(0, ...rows.map(([left]) => widthOf(left)));
  const fits = rows.every(([, right]) => widthOf(indent) + label + 3 + widthOf(right) <= width);
  return rows.flatMap(([left, right]) =>
    fits
      ? [`${indent}${left}${" ".repeat(label - widthOf(left) + 3)}${right}`]
      : [...hang(left, width, indent), ...hang(right, width, `${indent}  `)],
  );
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const kept = line.replace(COMMAND, (command) => command.replaceAll(" ", KEPT_SPACE));
  const own = /^ */.exec(line)?.[0] ?? "";
  const indent = own.length < width / 2 ? own : "";
  const rows: string[] = [];
  let row: string | null = null;
  for (const word of kept.slice(own.length).split(" ")) {
    if (row !== null && widthOf(row) + 1 + widthOf(word) <= width) {
      row += ` ${word}`;
      continue;
    }
    if (row !== null) rows.push(row);
    const pieces = chop(word, width - indent.length);
    rows.push(...pieces.slice(0, -1).map((piece) => indent + piece));
    row = indent + (pieces.at(-1) ?? "");
  }
  return (row === null ? rows : [...rows, row]).map((one) => one.replaceAll(KEPT_SPACE, " "));
}
