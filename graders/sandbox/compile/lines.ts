/** Offsets, lines and columns. All 1-based, columns in UTF-16 units, as V8 and editors count them. */

export interface Position {
  line: number;
  column: number;
}

/** What ends a line for an editor. */
const EDITOR = /\r\n|\n|\r/g;
/** What ends a line for JavaScript, V8's stacks and esbuild's maps: two more. */
const SCRIPT = /\r\n|[\n\r\u2028\u2029]/g;

export interface Lines {
  positionOf(offset: number): Position;
  /** Clamped to the text. */
  offsetOf(position: Position): number;
}

export function editorLines(text: string): Lines {
  return linesOf(text, EDITOR);
}

export function scriptLines(text: string): Lines {
  return linesOf(text, SCRIPT);
}

export function splitLines(text: string): string[] {
  return text.split(EDITOR);
}

function linesOf(text: string, ends: RegExp): Lines {
  const starts = [0];
  for (const end of text.matchAll(ends)) starts.push(end.index + end[0].length);
  return {
    positionOf: (offset) => {
      const index = lastAtMost(starts, offset);
      return { line: index + 1, column: offset - (starts[index] ?? 0) + 1 };
    },
    offsetOf: ({ line, column }) => Math.min(text.length, (starts[line - 1] ?? text.length) + column - 1),
  };
}

/** Index of the last element that is at most `value`, in ascending numbers; 0 when none is. */
export function lastAtMost(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
