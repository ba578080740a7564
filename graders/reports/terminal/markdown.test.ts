import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { widthOf } from "./layout.ts";
import { markdownToTerminal } from "./markdown.ts";

const PLAIN = { lang: "en", colour: false, columns: 60 } as const;
const BOLD = "\u001b[1m";
const NOT_BOLD = "\u001b[22m";
const drawn = (markdown: string, columns = 60) => markdownToTerminal(markdown, { ...PLAIN, columns }).split("\n");

/** Every text the kit has in Markdown for a reader at a terminal. */
const LESSONS = resolve(import.meta.dirname, "../../../lessons");
const TEXTS = readdirSync(LESSONS, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => [name, readFileSync(join(LESSONS, name), "utf8")] as const);

test("headings stand at the edge, what they head is set in, and a paragraph is one text whatever its lines", () => {
  const text = "# A *title*\n\nOne line\nand another, `code` and **strong**.\n\n## Below\n\n- - -\n";
  expect(drawn(text)).toEqual([
    "A title",
    "",
    "  One line and another, `code` and strong.",
    "",
    "Below",
    "",
    `  ${"─".repeat(58)}`,
  ]);
});

test("lists keep their numbers, their nesting and their looseness", () => {
  expect(
    drawn(
      "9. nine\n10. ten is a longer entry that takes more than a single row\n    - inner\n\n- [x] done\n- [ ] open\n\n* a\n\n* b",
    ),
  ).toEqual([
    "  9.  nine",
    "  10. ten is a longer entry that takes more than a single",
    "      row",
    "      • inner",
    "",
    "  • [x] done",
    "  • [ ] open",
    "",
    "  • a",
    "",
    "  • b",
  ]);
});

test("code is set in further and kept as it is; a row too long goes on further in", () => {
  const text = "```ts\nwhile (true) {\n\n  const aLongName = anotherLongName(first, second, third, fourth);\n}\n```";
  expect(drawn(text)).toEqual([
    "    while (true) {",
    "",
    "      const aLongName = anotherLongName(first, second,",
    "          third, fourth);",
    "    }",
  ]);
});

test("code that holds a backtick stands between quotes, not between more of them", () => {
  expect(drawn("The 400 says `` `tool_use` ids must be unique ``, and `x`.")).toEqual([
    '  The 400 says "`tool_use` ids must be unique", and `x`.',
  ]);
});

test("in code, a comment too long goes above its line, each of its rows a comment", () => {
  const text = [
    "```ts",
    "if (calls.length === 0) {",
    "  return response; // the model asked for nothing more: this is the answer",
    "  // a line that is a comment and nothing else, and longer than the page",
    "}",
    'const url = "https://example.com/a/rather/long/address"; // short',
    "```",
  ].join("\n");
  expect(drawn(text)).toEqual([
    "    if (calls.length === 0) {",
    "      // the model asked for nothing more: this is the",
    "      // answer",
    "      return response;",
    "      // a line that is a comment and nothing else, and",
    "      // longer than the page",
    "    }",
    "    // short",
    '    const url = "https://example.com/a/rather/long/address";',
  ]);
});

test("a table has columns while they fit, wraps its cells when they do not, and is told cell by cell as a last resort", () => {
  const text =
    "| name | n | what it is |\n|---|--:|---|\n| `one` | 1 | the first |\n| two | 10 | the second, with more to say of it |";
  expect(drawn(text)).toEqual([
    "  name     n   what it is",
    "  ─────   ──   ──────────────────────────────────",
    "  `one`    1   the first",
    "  two     10   the second, with more to say of it",
  ]);
  expect(drawn(text, 40)).toEqual([
    "  name     n   what it is",
    "  ─────   ──   ─────────────────────────",
    "  `one`    1   the first",
    "",
    "  two     10   the second, with more to",
    "               say of it",
  ]);
  const wide = ["a", "b", "c", "d"].map((letter) => letter.repeat(30));
  const four = `| ${wide.join(" | ")} |\n|--|--|--|--|\n| one | two | | four |`;
  expect(drawn(four, 40)).toEqual([`  ${wide[0]}: one`, `  ${wide[1]}: two`, `  ${wide[2]}`, `  ${wide[3]}: four`]);
});

test("a link says where it leads, unless that is its text or a place on the page", () => {
  expect(drawn("[the map](../README.en.md), [below](#below), <https://example.com>")).toEqual([
    "  the map (../README.en.md), below, https://example.com",
  ]);
});

test("quotes stand behind a bar", () => {
  expect(drawn("> said\n>\n> - and done")).toEqual(["  │ said", "  │", "  │ • and done"]);
});

test("HTML is left out, what it holds is not", () => {
  const text =
    "<!-- not for readers -->\n\n<details><summary>1. Why <code>x</code> &amp; y?</summary>\n\nBecause<br>it is so.\n</details>";
  expect(drawn(text)).toEqual(["  1. Why `x` & y?", "", "  Because", "  it is so."]);
});

test("emphasis is colour, and ends where it ends, also over the end of a row", () => {
  const text = markdownToTerminal(`plain **${"strong ".repeat(12)}end** plain`, { ...PLAIN, colour: true });
  const rows = text.replaceAll(BOLD, "<").replaceAll(NOT_BOLD, ">").split("\n");
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/^ {2}plain <(strong ?)+>$/);
  expect(rows[1]).toMatch(/^ {2}<(strong )+end> plain$/);
});

test.each(TEXTS)("%s: every word is there, no row is too wide, and colour is colour alone", (_name, text) => {
  const words = text.replace(/^```.*$/gm, "").match(/[\p{L}\d]{4,}(?=[\s.,;:)*`|?!])/gu)!;
  for (const columns of [40, 80, 100]) {
    const plain = markdownToTerminal(text, { ...PLAIN, columns });
    expect(plain.split("\n").filter((row) => widthOf(row) > columns)).toEqual([]);
    const coloured = markdownToTerminal(text, { ...PLAIN, columns, colour: true });
    expect(coloured).not.toBe(plain);
    expect(stripVTControlCharacters(coloured)).toBe(plain);
    const said = plain.replace(/\s+/g, "");
    if (columns === 100) expect(words.filter((word) => !said.includes(word))).toEqual([]);
  }
});
