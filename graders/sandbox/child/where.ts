import { SOURCE_URL } from "../source-url.ts";
import { ErrorCtor } from "./primordials.ts";

/** The innermost frame of the student's own code on the current stack, as V8 prints it (`12:5`), or null. */
export function studentFrame(): string | null {
  const limit = ErrorCtor.stackTraceLimit;
  try {
    ErrorCtor.stackTraceLimit = 30;
    const stack: unknown = new ErrorCtor().stack;
    return typeof stack === "string" ? firstFrame(stack) : null;
  } catch {
    return null; // a student's Error.prepareStackTrace may do anything; then no line is named
  } finally {
    ErrorCtor.stackTraceLimit = limit;
  }
}

function firstFrame(stack: string): string | null {
  const start = stack.indexOf(`${SOURCE_URL}:`);
  if (start === -1) return null;
  return /^\d+:\d+/.exec(stack.slice(start + SOURCE_URL.length + 1))?.[0] ?? null;
}
