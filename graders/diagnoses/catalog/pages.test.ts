import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";
import { LANGS, type Lang } from "../../trace/text.ts";
import { diagnoses } from "./catalog.ts";
import { pageFile, readPage } from "./pages.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

const HEADINGS: Readonly<Record<Lang, readonly string[]>> = {
  es: ["Así no", "Así sí", "Qué ve la API o el usuario", "La idea"],
  en: ["Not like this", "Like this", "What the API or the user sees", "The idea"],
};

/** Columns of a terminal of 80 that are left to code, which is set in twice. */
const CODE_COLUMNS = 76;

interface Parts {
  title: string;
  idRow: string;
  opening: string;
  sections: { heading: string; text: string }[];
}

describe.each(diagnoses.map(({ id }) => id))("%s", (id) => {
  test.each(LANGS)("has a page of the common shape (%s)", (lang) => {
    expect(existsSync(pageFile(ROOT, id, lang)), pageFile(ROOT, id, lang)).toBe(true);
    const { title, idRow, opening, sections } = partsOf(id, lang);
    expect(title).not.toBe("");
    expect(title).not.toContain(`\`${id}\``);
    if (id.includes("-")) expect(title).not.toContain(id);
    expect(idRow).toMatch(new RegExp(`^\`${id}\` · \\S`));
    expect(opening).not.toBe("");
    expect(sections.map(({ heading }) => heading)).toEqual(HEADINGS[lang]);
    for (const { heading, text } of sections) expect(text, heading).not.toBe("");
    expect(readPage(ROOT, id, lang)?.title).toBe(title);
    // Code in a sentence that holds backticks itself cannot be told from what stands round it.
    expect([opening, ...sections.map(({ text }) => proseOf(text))].join("\n")).not.toContain("``");
  });

  test.each(LANGS)("shows the wrong lines and the right ones, as TypeScript that parses (%s)", (lang) => {
    const [wrong, right, ...rest] = partsOf(id, lang).sections.map(({ text }) => fragments(text));
    expect(wrong).toHaveLength(1);
    expect(right).toHaveLength(1);
    expect(wrong![0]).not.toBe(right![0]);
    for (const code of [...wrong!, ...right!, ...rest.flat()]) {
      expect(flawsOf(code), code).toEqual([]);
      expect(code.split("\n").filter(isBroken)).toEqual([]);
    }
  });

  test("is written in each language, not copied", () => {
    const [es, en] = LANGS.map((lang) => partsOf(id, lang)) as [Parts, Parts];
    expect(es.title).not.toBe(en.title);
    expect(es.idRow).not.toBe(en.idRow);
    expect(es.opening).not.toBe(en.opening);
    es.sections.forEach(({ text }, index) => {
      const prose = proseOf(text);
      if (prose !== "") expect(prose).not.toBe(proseOf(en.sections[index]?.text ?? ""));
    });
  });
});

test("no page is left of a diagnosis that is gone", () => {
  const ids = diagnoses.map(({ id }) => id);
  const pages = readdirSync(resolve(ROOT, "graders/diagnoses")).filter((name) => name.endsWith(".md"));
  expect(pages.filter((name) => !LANGS.some((lang) => ids.some((id) => name === `${id}.${lang}.md`)))).toEqual([]);
});

/** The parts of a page, without what a scaffold's comments say of what goes there. */
function partsOf(id: string, lang: Lang): Parts {
  const text = readFileSync(pageFile(ROOT, id, lang), "utf8").replace(/<!--[\s\S]*?-->/g, "");
  const [head = "", ...tail] = text.split(/^## /m);
  const [title = "", idRow = "", ...opening] = head.split("\n");
  return {
    title: title.replace(/^# /, "").trim(),
    idRow,
    opening: opening.join("\n").trim(),
    sections: tail.map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      return { heading, text: lines.join("\n").trim() };
    }),
  };
}

function proseOf(text: string): string {
  return text.replace(/```[\s\S]*?```/g, "").trim();
}

/** Whether a terminal of 80 columns breaks a line of code in the middle: a comment that does not fit goes above its line. */
function isBroken(line: string): boolean {
  return line.length > CODE_COLUMNS && line.replace(/ *\/\/ .*$/, "").length > CODE_COLUMNS;
}

function fragments(text: string): string[] {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
}

/** What is wrong with a fragment: it may be a module's lines or those of a function, and holds more than comments. */
function flawsOf(code: string): string[] {
  const asModule = parseSync("fragment.ts", code, { sourceType: "module" });
  const asBody = parseSync("fragment.ts", `async function fragment() {\n${code}\n}`, { sourceType: "module" });
  if (code.replace(/^\s*\/\/.*$/gm, "").trim() === "") return ["nothing but comments"];
  const flaws = [asModule, asBody].map(({ errors }) => errors.map(({ message }) => message));
  return flaws.some((each) => each.length === 0) ? [] : flaws[0]!;
}
