import { Chalk, type ChalkInstance } from "chalk";
import type { Lang, Text } from "../../trace/text.ts";
import { clean, fold } from "../clean.ts";

/** What every part of a report needs to know of where it is printed. */
export interface Page {
  lang: Lang;
  ink: ChalkInstance;
  /** Columns a row may take. */
  width: number;
}

/** Narrower terminals get rows of this many columns all the same. */
export const NARROWEST = 40;
/** Wider terminals do not: long rows are hard to read. */
export const WIDEST = 100;

/** At the start of a row, spaces and our own colours aside. */
const RUNNER_COMMAND = /^((?:\p{Control}\[\d+m|\s)*):(?=:)/u;

export function openPage(options: { lang: Lang; colour: boolean; columns: number }): Page {
  return {
    lang: options.lang,
    ink: new Chalk({ level: options.colour ? 1 : 0 }),
    width: Math.min(WIDEST, Math.max(NARROWEST, Math.floor(options.columns) || NARROWEST)),
  };
}

/** A text of the grade in the page's language. It may quote the student's code, so it is cleaned like theirs. */
export function say(page: Page, text: Text): string {
  return fold(clean(text[page.lang]), page.lang);
}

/** A text in the language's quotation marks. */
export function quoted(page: Page, text: string): string {
  return page.lang === "es" ? `«${text}»` : `“${text}”`;
}

/**
 * The rows as one text. GitHub's runner takes `::error::` at the start of a row, and `##[error]` anywhere in one, for its
 * own commands: a space takes that power away from whatever the student's code printed or threw.
 */
export function finish(rows: readonly string[]): string {
  return rows.map((row) => row.replace(RUNNER_COMMAND, "$1: ").replace(/##(?=\[)/g, "## ")).join("\n");
}
