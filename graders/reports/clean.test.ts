import fc from "fast-check";
import { expect, test } from "vitest";
import { clean, cleanDeep, cleanName, fold, LONGEST_LINE } from "./clean.ts";
import { HOSTILE } from "./testing/samples.ts";

const CASES: readonly [what: string, given: string, expected: string][] = [
  ["what is visible stays", "¿Qué? año 日本 tab\there `code` ü", "¿Qué? año 日本 tab\there `code` ü"],
  ["new lines stay", "one\ntwo\r\nthree", "one\ntwo\nthree"],
  ["clear screen", "a\u001b[2Jb\u001b[Hc", "abc"],
  ["colours", "\u001b[31mred\u001b[0m", "red"],
  ["a link ended by BEL", "\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007", "link"],
  ["a link ended by ST", "\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["a device control string", "a\u001bPq#0;2;0\u001b\\b", "ab"],
  ["eight-bit sequences", "a\u009b31mb\u009d0;title\u009cc", "abc"],
  ["a sequence without an end loses its power, not its text", "a\u001bPtitle", "atitle"],
  ["NUL, BEL, backspace, DEL", "a\u0000b\u0007c\bd\u007fe", "abcde"],
  ["carriage return", "100%\rfake", "100%fake"],
  ["bidi override and isolate", "\u202egnp.exe\u202c \u2066x\u2069 \u200ey", "gnp.exe x y"],
  ["zero width", "pass\u200bed\ufeff\u2060\u00ad", "passed"],
  ["tags that hide text", "a\u{e0068}\u{e0069}b", "ab"],
  ["lone surrogates", "a\ud83db\ude00c", "abc"],
  ["a whole pair stays", "a\u{1f600}b", "a\u{1f600}b"],
  ["line separators are new lines", "a\u2028b\u2029c", "a\nb\nc"],
  ["a sequence that appears once another is gone", "\u001b\u0000[2Jx\u001b\u200b[31my", "[2Jx[31my"],
];

test.each(CASES)("clean: %s", (_what, given, expected) => {
  expect(clean(given)).toBe(expected);
});

test("whatever it is given, no control, invisible or half character is left, and cleaning again changes nothing", () => {
  const nasty = fc.constantFrom(
    "\u001b",
    "\u009b",
    "]",
    "[",
    "31m",
    "8;;",
    "\u0007",
    "\u001b\\",
    "\ud800",
    "\u202e",
    "\n",
  );
  const text = fc.array(fc.oneof(nasty, fc.string({ unit: "binary" }))).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (given) => {
      const cleaned = clean(given);
      expect(cleaned).not.toMatch(/(?![\n\t])\p{Control}|\p{Bidi_Control}|\p{Surrogate}|\u200b|\ufeff/u);
      expect(clean(cleaned)).toBe(cleaned);
    }),
  );
});

test("a name is one line", () => {
  expect(cleanName("age\u202ent.ts\n::error::x\t y ")).toBe("agent.ts ::error::x y");
});

test("a long line is folded and says by how much; the others stay whole", () => {
  const folded = fold(`short\n${"x".repeat(LONGEST_LINE + 300)}\nend`, "en");
  expect(folded).toBe(`short\n${"x".repeat(LONGEST_LINE)}… (300 more characters)\nend`);
  expect(fold("x".repeat(LONGEST_LINE + 1), "es")).toMatch(/x… \(1 carácter más\)$/);
  expect(fold("x".repeat(LONGEST_LINE), "en")).toBe("x".repeat(LONGEST_LINE));
});

test("folding never leaves half a character", () => {
  const folded = fold(`${"x".repeat(LONGEST_LINE - 1)}\u{1f600}!`, "en");
  expect(folded).toBe(`${"x".repeat(LONGEST_LINE - 1)}… (3 more characters)`);
});

test("every string of a value is cleaned, and nothing else is changed", () => {
  const value = { a: ["x\u0000", 1, null, { b: "\u001b[2Jy" }], c: true };
  expect(cleanDeep(value)).toEqual({ a: ["x", 1, null, { b: "y" }], c: true });
});

test("the hostile samples are hostile", () => {
  expect(HOSTILE.filter((line) => clean(line) === line)).toEqual([
    "::error::x",
    "  ::set-output name=points::10",
    "##[error]x",
    "x".repeat(5000),
  ]);
});
