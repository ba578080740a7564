/** Source text to mutants: each is the file with one mistake in it. */
import { type Change, type Edit, type Operator, readCode } from "./code.ts";

const files = import.meta.glob<Operator>(["./operators/*.ts", "!./operators/*.test.ts"], {
  eager: true,
  import: "default",
});

/** Every operator by the name of its file. */
export const operators: Readonly<Record<string, Operator>> = Object.fromEntries(
  Object.entries(files)
    .map(([path, operator]): [string, Operator] => [path.replace(/^.*\//, "").replace(/\.ts$/, ""), operator])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

/** What tells a mutant from the others of its exercise, wherever in the file it stands. */
export interface MutantKey {
  operator: string;
  /** The lines it changes, and what they become; neither indented. */
  was: string;
  is: string;
  /** Which of those that are alike in all this, from 1. */
  occurrence: number;
}

export interface Mutant {
  /** How it came about; more than one operator may give the same text. */
  keys: readonly [MutantKey, ...MutantKey[]];
  /** The whole file. */
  text: string;
  /** First line that is changed, from 1. */
  line: number;
}

/** Lines of a change shown at each end; what is between is left out. */
const ENDS = 2;

/**
 * @param name of the file; its extension decides whether types are allowed
 * @returns each text once, in the order of the file
 * @throws Error when the file does not parse
 */
export async function mutantsOf(name: string, text: string): Promise<Mutant[]> {
  const code = await readCode(name, text);
  const byText = new Map<string, { keys: MutantKey[]; text: string; line: number }>([
    [bare(text), { keys: [], text, line: 0 }],
  ]);
  for (const [operator, find] of Object.entries(operators)) {
    const seen = new Map<string, number>();
    for (const change of [...find(code)].sort((a, b) => startOf(a) - startOf(b))) {
      const { was, is } = linesOf(text, change);
      const alike = JSON.stringify([was, is]);
      const occurrence = (seen.get(alike) ?? 0) + 1;
      seen.set(alike, occurrence);
      const mutated = apply(text, change);
      const known = byText.get(bare(mutated)) ?? { keys: [], text: mutated, line: lineAt(text, startOf(change)) };
      known.keys.push({ operator, was, is, occurrence });
      byText.set(bare(mutated), known);
    }
  }
  byText.delete(bare(text));
  return [...byText.values()]
    .map((mutant) => ({ ...mutant, keys: mutant.keys as [MutantKey, ...MutantKey[]] }))
    .sort((a, b) => a.line - b.line);
}

/** Texts that differ in indentation and blank lines only are one. */
function bare(text: string): string {
  return trimmed(text).join("\n");
}

function trimmed(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}

function startOf(change: Change): number {
  return Math.min(...change.map(({ start }) => start));
}

function apply(text: string, change: Change): string {
  return [...change]
    .sort((a, b) => b.start - a.start)
    .reduce((made, { start, end, text: put }) => made.slice(0, start) + put + made.slice(end), text);
}

/** The lines a change touches, before and after it. */
function linesOf(text: string, change: Change): { was: string; is: string } {
  const pieces: { start: number; end: number; edits: Edit[] }[] = [];
  for (const edit of [...change].sort((a, b) => a.start - b.start)) {
    const start = text.lastIndexOf("\n", edit.start - 1) + 1;
    const end = endOfLine(text, edit.end);
    const last = pieces.at(-1);
    if (last && start <= last.end + 1) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else pieces.push({ start, end, edits: [edit] });
  }
  const shown = (lines: string[]) =>
    lines.length <= 2 * ENDS + 1 ? lines : [...lines.slice(0, ENDS), "…", ...lines.slice(-ENDS)];
  const was = pieces.map(({ start, end }) => shown(trimmed(text.slice(start, end))));
  const is = pieces.map(({ start, end, edits }) => {
    const inside = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    return shown(trimmed(apply(text.slice(start, end), inside)));
  });
  return { was: was.flat().join("\n"), is: is.flat().join("\n") };
}

function endOfLine(text: string, offset: number): number {
  const found = text.indexOf("\n", offset);
  return found === -1 ? text.length : found;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
