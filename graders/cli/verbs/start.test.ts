import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LANGS } from "../../trace/text.ts";
import { bucle, unwrapped } from "../testing/bucle.ts";
import { student } from "../testing/folders.ts";

/** The row that says where one stands: `2.1 ✓   2.2 ✗  [2.3 ·]`. */
function standingIn(stdout: string): string {
  return unwrapped(stdout.split("\n").find((row) => /(Lección|Lesson) 2/.test(row)) ?? "none");
}

test.concurrent.each(LANGS)(
  "the first time: the first exercise, where one stands, and that no key is needed, in %s",
  async (lang) => {
    const { cwd, progress } = student();
    const said = await bucle(["start", "--lang", lang], { cwd });
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(standingIn(said.stdout)).toMatch(/\[2\.1 ·\] 2\.2 · .*2\.7 ·$/);
    const { title, none, key } = {
      es: {
        title: "2.1  Cuenta los turnos",
        none: "0 de 7 ejercicios",
        key: "Sin clave, sin cuenta, sin costo y sin red",
      },
      en: { title: "2.1  Count the turns", none: "0 of 7 exercises", key: "No key, no account, no cost, no network" },
    }[lang];
    for (const text of [`· ${title}`, none, key]) expect(said.stdout).toContain(text);
    expect(said.stdout).toContain(`exercises/2.1-count-the-turns/README.${lang}.md`);
    expect(progress()).toEqual({ version: 1, exercises: {} });
  },
);

test.concurrent("an exercise that passes is noted, and the next one becomes the current one", async () => {
  const one = student();
  one.solve("2.1");
  const first = await bucle(["start", "--lang", "en"], { cwd: one.cwd });
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(/^✓ 2\.1 {2}Count the turns\n/);
  expect(standingIn(first.stdout)).toContain("2.1 ✓ [2.2 ·] 2.3 ·");
  expect(first.stdout).toContain("1 of 7 exercises");
  expect(one.progress().exercises["2.1"]).toMatchObject({ status: "passed", firstTry: "right" });
  const second = await bucle(["start", "--lang", "en"], { cwd: one.cwd });
  expect(second.code).toBe(0);
  expect(second.stdout).toMatch(/^· 2\.2 {2}Why it never stops\n/);
});

test.concurrent("a passed exercise that is edited afterwards is the current one again", async () => {
  const one = student();
  one.solve("2.1");
  await bucle(["start"], { cwd: one.cwd });
  one.answer("2.1", { callModel: null });
  const said = await bucle(["start", "--lang", "en"], { cwd: one.cwd });
  expect(said.stdout).toMatch(/^✗ 2\.1 /);
  expect(standingIn(said.stdout)).toContain("[2.1 ✗]");
});

test.concurrent("another exercise may be asked for; one that fails is a verdict and no error", async () => {
  const one = student();
  one.miss("2.4", "dropped-tool-result");
  const said = await bucle(["start", "2.4", "--lang", "en"], { cwd: one.cwd });
  expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(said.stdout).toMatch(/^✗ 2\.4 /);
  expect(standingIn(said.stdout)).toContain("[2.4 ✗]");
});

test.concurrent("a hint that was asked for does not make an exercise a failed one", async () => {
  const { cwd } = student();
  await bucle(["hint", "2.3"], { cwd });
  expect(standingIn((await bucle(["start"], { cwd })).stdout)).toContain("2.3 · 2.4 ·");
});

test.concurrent("when all is done it says so", async () => {
  const one = student();
  for (const id of ["2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7"]) one.solve(id);
  const checked = await bucle(["check", "--lang", "en"], { cwd: one.cwd });
  expect(checked).toMatchObject({ code: 0, stderr: "" });
  expect(checked.stdout).toContain("7 passed\nWell done!");
  const said = await bucle(["start", "--lang", "en"], { cwd: one.cwd });
  expect(said.code).toBe(0);
  expect(said.stdout).toContain("7 of 7 exercises");
  expect(unwrapped(said.stdout)).toContain("You have finished the course");
});

const UNREADABLE = {
  es: "Cambia el nombre de ese archivo y repite la orden",
  en: "Rename that file and run the command again",
};

test.concurrent.each([
  ["start", "es", "cut short", '{ "version": 1, "exerc'],
  ["check", "en", "cut short", '{ "version": 1, "exerc'],
  ["hint", "es", "of another version", '{ "version": 99, "exercises": {} }'],
  ["start", "en", "of another version", '{ "version": 99, "exercises": {} }'],
] as const)(
  "%s, %s: a progress file that is %s is named, with what to do, and left as it is",
  async (verb, lang, _what, text) => {
    const one = student();
    one.solve("2.1");
    const file = join(one.cwd, ".bucle", "progress.json");
    mkdirSync(join(one.cwd, ".bucle"));
    writeFileSync(file, text);
    const said = await bucle([verb, "--lang", lang], { cwd: one.cwd });
    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toContain(file);
    expect(said.stderr).toContain(UNREADABLE[lang]);
    expect(said.stderr).not.toMatch(/\n\s+at |Error/);
    expect(readFileSync(file, "utf8")).toBe(text);
  },
);
