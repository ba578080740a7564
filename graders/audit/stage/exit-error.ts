/** Reads, from the last words of a program on stderr, the error that ended it. */
import type { ThrownError } from "../../trace/events.ts";

/** As many lines of stderr as are shown where no error can be told from the rest. */
const LINES = 6;

/** `TypeError: …`, `Uncaught Error [CODE]: …`, `anthropic.BadRequestError: …`, at the very start of a line. */
const ERROR_LINE =
  /^(?:Uncaught )?(?:[A-Za-z_$][\w$]*\.)*((?:[A-Z][\w$]*)?(?:Error|Exception|Stopped))(?: \[[\w-]+\])?(?:: (.*))?$/;

/** A Python traceback ends in the exception, whatever it is called. */
const TRACEBACK = /^Traceback \(most recent call last\):$/;
const EXCEPTION = /^(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*)(?:: (.*))?$/;

/**
 * The error of a program that did not end well.
 * @param code its exit code, not 0
 * @param stderr what it wrote there, or the end of it
 * @returns by name and message where a line tells them, as Node and Python print them; else the last lines
 */
export function errorFrom(code: number, stderr: string): ThrownError {
  const lines = stderr
    .replaceAll("\r\n", "\n")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const known = pythons(lines) ?? lines.map((line) => ERROR_LINE.exec(line)).findLast((match) => match !== null);
  if (known) return { name: known[1]!, message: known[2] ?? "", stack: [] };
  return { name: `exit ${code}`, message: lines.slice(-LINES).join("\n"), stack: [] };
}

function pythons(lines: readonly string[]): RegExpExecArray | null {
  const begin = lines.findLastIndex((line) => TRACEBACK.test(line));
  if (begin === -1) return null;
  // The frames are indented; the first line that is not names the exception.
  const named = lines.slice(begin + 1).find((line) => !/^\s/.test(line));
  return named === undefined ? null : EXCEPTION.exec(named);
}
