import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import type { Text } from "../../trace/text.ts";

/** A submission compiled to the one module that the child runs. */
export interface Program {
  /** ES module text. Its only imports are `node:` modules and the runtime's URL. */
  code: string;
  /** Names `code` exports, `default` among them. */
  exports: readonly string[];
  /** Loop-guard sites; a site's id is its index. */
  sites: readonly Site[];
  /** A position in `code` (1-based line and column, as V8 prints them) in the student's file; null where none of it stands there. */
  locate(line: number, column: number): Spot | null;
  /** The files of code it was made of, entry first. */
  /** A text with the names that the bundler changed put back: it renames a variable that shadows another. */
  restoreNames(text: string): string;
  source: Source;
}

/** A loop or function that the loop guard watches. `spot`: its keyword, its name or where it begins. */
export interface Site {
  kind: "loop" | "function";
  spot: Spot;
}

/** Why a submission cannot be taken or compiled: something its author can mend. */
export interface Refusal {
  headline: Text;
  detail: Text;
  next: Text;
  at: Spot | null;
}

export type Result<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };
