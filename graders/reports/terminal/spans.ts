/** Text whose parts look different, laid out in rows: broken like plain text, coloured afterwards. */
import type { ChalkInstance } from "chalk";
import { widthOf, wrap } from "./layout.ts";

/** A stretch of text and how it looks. */
export interface Span {
  text: string;
  ink: ChalkInstance;
}

const SPACE = /\s/;

/** Rows of at most `width` columns, as `wrap` breaks the bare text. */
export function wrapSpans(spans: readonly Span[], width: number): string[] {
  const text = textOf(spans);
  const inks = spans.flatMap((span) => Array.from({ length: span.text.length }, () => span.ink));
  // What `wrap` changes is white space alone: every other character of its rows is the next one of the text.
  let at = 0;
  return wrap(text, width).map((row) => {
    const parts: Span[] = [];
    for (let i = 0; i < row.length; i++) {
      const blank = SPACE.test(row[i]!);
      if (!blank) while (at < text.length && SPACE.test(text[at]!)) at++;
      const here = !blank || SPACE.test(text[at] ?? "") ? at++ : at;
      const ink = inks[here] ?? inks.at(-1);
      const last = parts.at(-1);
      if (last !== undefined && last.ink === ink) last.text += row[i];
      else if (ink !== undefined) parts.push({ text: row[i]!, ink });
    }
    return parts.map((part) => part.ink(part.text)).join("");
  });
}

/** The bare text. */
export function textOf(spans: readonly Span[]): string {
  return spans.map(({ text }) => text).join("");
}

/** Rows behind `first` and then behind as many spaces, as a list's entry stands. */
export function indented(rows: readonly string[], first: string, rest = " ".repeat(widthOf(first))): string[] {
  return rows.map((row, index) => `${index === 0 ? first : rest}${row}`.trimEnd());
}
