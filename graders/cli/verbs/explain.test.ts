import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { diagnoses } from "../../diagnoses/catalog/catalog.ts";
import { LANGS } from "../../trace/text.ts";
import { bucle, EXERCISES, KIT, unwrapped } from "../testing/bucle.ts";
import { freshFolder } from "../testing/folders.ts";

const page = (id: string, lang: string) => readFileSync(join(KIT, "graders/diagnoses", `${id}.${lang}.md`), "utf8");
const title = (id: string, lang: string) => /^# (.+)/.exec(page(id, lang))![1]!;

test.concurrent.each(LANGS)("the page of a diagnosis, drawn, and where to practise it (%s)", async (lang) => {
  const said = await bucle(["explain", "missing-reassignment", "--lang", lang], { cwd: freshFolder() });
  expect(said).toMatchObject({ code: 0, stderr: "" });
  const rows = said.stdout.split("\n");
  expect(rows[0]).toBe(title("missing-reassignment", lang));
  expect(rows).toContain({ es: "Así no", en: "Not like this" }[lang]);
  expect(rows).toContain('    while (response.stop_reason === "tool_use") {');
  expect(said.stdout).not.toMatch(/^#|```/m);
  expect(stripVTControlCharacters(said.stdout)).toBe(said.stdout);
  expect(rows.filter((row) => row.length > 80)).toEqual([]);
  const exercise = EXERCISES.find(({ id }) => id === "2.2")!;
  expect(unwrapped(said.stdout)).toContain(exercise.title[lang]);
  expect(said.stdout).toMatch(/`npx bucle start 2\.2`\n$/);
});

test.concurrent("colour is there when it is asked for, and changes nothing else", async () => {
  const [plain, coloured] = await Promise.all([
    bucle(["explain", "busy-loop", "--lang", "en"]),
    bucle(["explain", "busy-loop", "--lang", "en"], { env: { FORCE_COLOR: "1" } }),
  ]);
  expect(coloured.stdout).not.toBe(plain.stdout);
  expect(stripVTControlCharacters(coloured.stdout)).toBe(plain.stdout);
});

test.concurrent.each(LANGS)("without an id: every diagnosis with its title, by lesson (%s)", async (lang) => {
  const said = await bucle(["explain", "--lang", lang]);
  expect(said).toMatchObject({ code: 0, stderr: "" });
  for (const { id } of diagnoses) expect(said.stdout).toMatch(new RegExp(`^ {2}${id} {2,}\\S`, "m"));
  expect(said.stdout).toContain(title("busy-loop", lang));
  const lessons = [...said.stdout.matchAll(/^(?:Lección|Lesson) (\d)$/gm)].map(([, number]) => Number(number));
  expect(lessons).toEqual([...new Set(diagnoses.map(({ exercise }) => Number(exercise[0])))].sort());
  expect(said.stdout.split("\n").filter((row) => row.length > 80)).toEqual([]);
});

test.concurrent("an id that does not exist is wrong usage, and says which it may have been", async () => {
  const [es, en, lost, path] = await Promise.all([
    bucle(["explain", "missing-reasignment", "--lang", "es"]),
    bucle(["explain", "missing-reasignment", "--lang", "en"]),
    bucle(["explain", "xyz", "--lang", "en"]),
    bucle(["explain", "../../README", "--lang", "en"]),
  ]);
  for (const said of [es, en, lost, path]) expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(es.stderr).toMatch(/^No hay diagnóstico `missing-reasignment`\. ¿Querías decir `missing-reassignment`/);
  expect(en.stderr).toMatch(/^There is no diagnosis `missing-reasignment`\. Did you mean `missing-reassignment`/);
  expect(lost.stderr).toBe("There is no diagnosis `xyz`.\nAll of them: `npx bucle explain`\n");
  expect(path.stderr).toMatch(/^There is no diagnosis `\.\.\/\.\.\/README`/);
});
