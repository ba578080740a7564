import type { BlockedEvent, Trace } from "../../trace/events.ts";
import type { Run } from "../../trace/run.ts";

/** What the sandbox refused, when that ended the run; null for any other run. */
export function refusedBy(run: Run, what: BlockedEvent["what"]): BlockedEvent | null {
  if (run.outcome !== "blocked" || run.kind !== what) return null;
  const refused = run.trace.findLast((event) => event.type === "blocked" && event.what === what);
  return refused?.type === "blocked"
    ? refused
    : { type: "blocked", what, detail: "", at: run.at, seq: -1, turn: lastTurn(run.trace) };
}

/** The turn the run was in when it ended. */
export function lastTurn(trace: Trace): number {
  return trace.at(-1)?.turn ?? 0;
}

/** Errors that a language itself throws, JavaScript or Python: never a loop's way of giving up. */
export const ACCIDENTS: readonly string[] = [
  ...["TypeError", "ReferenceError", "SyntaxError", "RangeError", "EvalError", "URIError"],
  ...["KeyError", "IndexError", "AttributeError", "NameError", "UnboundLocalError", "JSONDecodeError"],
  ...["ModuleNotFoundError", "ImportError", "ZeroDivisionError", "RecursionError"],
];
