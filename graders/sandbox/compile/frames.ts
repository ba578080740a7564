/** Stacks as V8 prints them in the child, in the student's own lines. */
import type { Spot } from "../../trace/events.ts";
import { SOURCE_URL } from "../source-url.ts";
import type { Program } from "./program.ts";

/** A position in the compiled module: by its `sourceURL`, or by the `data:` URL it was imported from. Line, and column where there is one. */
const PLACE = new RegExp(
  `(?:${SOURCE_URL.replaceAll(".", "\\.")}|data:text/javascript[\\w+/=;,%.-]*):(\\d{1,7})(?::(\\d{1,7}))?`,
  "g",
);

/** A line of a stack that is a call. */
const CALL = /^\s+at /;

/**
 * Puts the student's `file:line:column` wherever a text names a place in the compiled module.
 * @param text anything: a stack, a message, what was printed
 * @param options `studentOnly`: also leave out the calls that are not in the student's code (the runtime, Node)
 */
export function rewriteFrames(text: string, program: Program, options: { studentOnly?: boolean } = {}): string {
  const lines = options.studentOnly
    ? text.split("\n").filter((line) => !CALL.test(line) || spotsIn(line, program).length > 0)
    : [text];
  return lines.map((line) => rewrite(line, program)).join("\n");
}

/** The spots that a stack names in the student's files, in the stack's order: innermost first. */
export function spotsOf(stack: string, program: Program): Spot[] {
  return stack.split("\n").flatMap((line) => (CALL.test(line) ? spotsIn(line, program) : []));
}

function rewrite(text: string, program: Program): string {
  return text.replace(PLACE, (_, line: string, column: string | undefined) => {
    const spot = program.locate(Number(line), Number(column ?? 1));
    if (spot === null) return program.source.files[0]?.name ?? "";
    return column === undefined ? `${spot.file}:${spot.line}` : `${spot.file}:${spot.line}:${spot.column}`;
  });
}

function spotsIn(text: string, program: Program): Spot[] {
  const spots: Spot[] = [];
  for (const [, line, column] of text.matchAll(PLACE)) {
    const spot = program.locate(Number(line), Number(column ?? 1));
    if (spot !== null) spots.push(spot);
  }
  return spots;
}
