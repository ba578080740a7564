/** docs/audit.{es,en}.md say what there is: the table of behaviours, the example of audit.json, and every option; the READMEs, how many. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import audit from "../cli/verbs/audit.ts";
import serve from "../cli/verbs/serve.ts";
import { severityNames } from "../reports/audit/words.ts";
import { LANGS, type Lang, type Text } from "../trace/text.ts";
import { behaviours } from "./audit.ts";
import { readSettings } from "./settings.ts";

const pageOf = (lang: Lang) => readFileSync(resolve(import.meta.dirname, `../../docs/audit.${lang}.md`), "utf8");

const HEAD: Text = {
  es: "| id | qué hace un bucle que cumple | si falla |",
  en: "| id | what a loop that holds does | a failure |",
};

function tableOf(lang: Lang): string {
  const rows = behaviours.map(
    ({ id, title, severity }) => `| \`${id}\` | ${title[lang]} | ${severityNames[severity][lang]} |`,
  );
  return [HEAD[lang], "|---|---|---|", ...rows].join("\n");
}

test.each(LANGS)("the page has the table of behaviours as they are (%s)", (lang) => {
  const table = tableOf(lang);
  const isThere = pageOf(lang).includes(`\n\n${table}\n\n`);
  expect(isThere, `docs/audit.${lang}.md should hold, between blank lines:\n\n${table}\n`).toBe(true);
});

test.each([
  ["README.md", "behaviours"],
  ["README.es.md", "comportamientos"],
])("%s counts the behaviours as they are", (file, noun) => {
  const readme = readFileSync(resolve(import.meta.dirname, "../..", file), "utf8");
  expect(readme).toContain(`${behaviours.length} ${noun}`);
});

test.each(["README.md", "README.es.md", "docs/audit.en.md", "docs/audit.es.md"])(
  "an audit that %s shows has as many rows as there are behaviours",
  (file) => {
    const page = readFileSync(resolve(import.meta.dirname, "../..", file), "utf8");
    const [, totals = ""] = /^Total: (.*?)\n(?:\n|```)/ms.exec(page) ?? [];
    const counts = totals.replace(/\(.*?\)/g, "").match(/\d+/g) ?? [];
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(behaviours.length);
  },
);

test.each(LANGS)("the page's audit.json can be read, and accepts what there is (%s)", (lang) => {
  const [, example] = /```json\n(.*?)```/s.exec(pageOf(lang)) ?? [];
  expect(example).toBeDefined();
  const folder = mkdtempSync(join(tmpdir(), "bucle-page-"));
  try {
    const file = join(folder, "audit.json");
    writeFileSync(file, example!);
    const { ignore } = readSettings(file);
    expect(Object.keys(ignore).length).toBeGreaterThan(0);
    expect(behaviours.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(ignore)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each(LANGS)("the page names every field of audit.json and every option (%s)", (lang) => {
  const page = pageOf(lang);
  const fields = Object.keys(readSettings(join(tmpdir(), "there-is-no-such-folder", "audit.json")));
  const flags = [audit, serve].flatMap(({ options = [] }) => options.map((option) => option.flags));
  const missing = [...fields.map((field) => `\`${field}\``), ...flags].filter((name) => !page.includes(name));
  expect(missing).toEqual([]);
});
