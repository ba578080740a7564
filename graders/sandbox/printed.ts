import type { Printed } from "../trace/run.ts";
import { PRINT_HEAD_LINES, PRINT_TAIL_LINES } from "./limits.ts";

/** Longest line kept; the report says what was cut. */
const LINE_CHARS = 4000;

export interface Printing {
  add(text: string, droppedLines?: number): void;
  end(): Printed;
}

/** Collects what a run prints: the first lines and the last, and how many there were between. `all` keeps every line. */
export function collectPrinting(all = false): Printing {
  const head: string[] = [];
  const tail: string[] = [];
  let omitted = 0;
  let rest = "";
  const headRoom = all ? Number.POSITIVE_INFINITY : PRINT_HEAD_LINES;
  const keep = (line: string) => {
    const kept = line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS)}… (+${line.length - LINE_CHARS})` : line;
    if (head.length < headRoom) head.push(kept);
    else tail.push(kept);
    if (tail.length > PRINT_TAIL_LINES) {
      tail.shift();
      omitted += 1;
    }
  };
  return {
    add: (text, droppedLines = 0) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) keep(line);
      if (rest.length > LINE_CHARS * 4) {
        keep(rest);
        rest = "";
      }
      omitted += droppedLines;
    },
    end: () => {
      if (rest !== "") keep(rest);
      rest = "";
      return { head, tail, omittedLines: omitted };
    },
  };
}
