import { SOURCE_URL } from "../source-url.ts";
import { ErrorCtor } from "./primordials.ts";

/** As many frames are told: of a program that is bundled with its packages, the first few may be theirs. */
const MOST_FRAMES = 8;

/** The frames of the student's own code on the current stack, innermost first, as V8 prints them (`12:5 30:2`), or null. */
export function studentFrames(): string | null {
  const limit = ErrorCtor.stackTraceLimit;
  try {
    ErrorCtor.stackTraceLimit = 30;
    const stack: unknown = new ErrorCtor().stack;
    return typeof stack === "string" ? framesIn(stack) : null;
  } catch {
    return null; // a student's Error.prepareStackTrace may do anything; then no line is named
  } finally {
    ErrorCtor.stackTraceLimit = limit;
  }
}

function framesIn(stack: string): string | null {
  const frames: string[] = [];
  for (const rest of stack.split(`${SOURCE_URL}:`, MOST_FRAMES + 1).slice(1)) {
    const frame = /^\d+:\d+/.exec(rest)?.[0];
    if (frame !== undefined) frames.push(frame);
  }
  return frames.length > 0 ? frames.join(" ") : null;
}
