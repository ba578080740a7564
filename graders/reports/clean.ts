import { stripVTControlCharacters } from "node:util";
import type { Lang } from "../trace/text.ts";
import { counted } from "./words.ts";

/** Longest line shown in full, in UTF-16 units. */
export const LONGEST_LINE = 2000;

/** OSC, DCS, SOS, PM and APC strings with their end; `stripVTControlCharacters` knows only some of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL_STRING = /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)/g;
const CONTROL = /(?![\n\t])\p{Control}/gu;
/** Bidi controls, zero-width and other characters that Unicode says to draw as nothing, interlinear annotations. */
const INVISIBLE = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}]/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const LINE_SEPARATOR = /[\u2028\u2029]/g;

/**
 * Text from untrusted code, made safe to show anywhere: no terminal sequence, no control character but `\n` and `\t`,
 * nothing that reorders or hides other text, no half of a surrogate pair. What is visible stays as it is.
 */
export function clean(text: string): string {
  return stripVTControlCharacters(text.replace(CONTROL_STRING, ""))
    .replace(CONTROL, "")
    .replace(INVISIBLE, "")
    .replace(LONE_SURROGATE, "")
    .replace(LINE_SEPARATOR, "\n");
}

/** `clean`, on one line: for names, which never need more. */
export function cleanName(text: string): string {
  return clean(text).replace(/\s+/g, " ").trim();
}

/** Every string of a JSON value cleaned; keys are ours and stay. */
export function cleanDeep<T>(value: T): T {
  if (typeof value === "string") return clean(value) as T;
  if (Array.isArray(value)) return value.map(cleanDeep) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cleanDeep(member)])) as T;
}

/** Each line longer than LONGEST_LINE is cut there, with a note that says by how much. Takes cleaned text. */
export function fold(text: string, lang: Lang): string {
  if (text.length <= LONGEST_LINE) return text;
  return text
    .split("\n")
    .map((line) => {
      if (line.length <= LONGEST_LINE) return line;
      const kept = line.slice(0, LONGEST_LINE).replace(LONE_SURROGATE, "");
      return `${kept}${counted.moreCharacters(line.length - kept.length)[lang]}`;
    })
    .join("\n");
}
