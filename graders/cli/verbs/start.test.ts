import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LANGS } from "../../trace/text.ts";
import { bucle, EXERCISES, unwrapped } from "../testing/bucle.ts";
import { student } from "../testing/folders.ts";

const [first, second] = EXERCISES as [(typeof EXERCISES)[0], (typeof EXERCISES)[0]];
const ALL = EXERCISES.length;

test.concurrent.each(LANGS)(
  "the first time: the first exercise, where one stands, and that no key is needed, in %s",
  async (lang) => {
    const { cwd, progress } = student();
    const said = await bucle(["start", "--lang", lang], { cwd });
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(unwrapped(said.stdout)).toContain(`[${first.id} ·] ${second.id} · `);
    expect(said.stdout).not.toMatch(/[✓✗] \[/);
    const { none, key } = {
      es: { none: `0 de ${ALL} ejercicios`, key: "Sin clave, sin cuenta, sin costo y sin red" },
      en: { none: `0 of ${ALL} exercises`, key: "No key, no account, no cost, no network" },
    }[lang];
    for (const text of [`· ${first.id}  ${first.title[lang]}`, none, key]) expect(said.stdout).toContain(text);
    expect(said.stdout).toContain(`exercises/${first.folder}/README.${lang}.md`);
    expect(progress()).toEqual({ version: 1, exercises: {} });
  },
);

test.concurrent("an exercise that passes is noted, and the next one becomes the current one", async () => {
  const one = student();
  one.solve(first.id);
  const passes = await bucle(["start", "--lang", "en"], { cwd: one.cwd });
  expect(passes.code).toBe(0);
  expect(passes.stdout.split("\n")[0]).toBe(`✓ ${first.id}  ${first.title.en}`);
  expect(unwrapped(passes.stdout)).toContain(`${first.id} ✓ [${second.id} ·]`);
  expect(passes.stdout).toContain(`1 of ${ALL} exercises`);
  expect(one.progress().exercises[first.id]).toMatchObject({ status: "passed" });
  const moved = await bucle(["start", "--lang", "en"], { cwd: one.cwd });
  expect(moved.code).toBe(0);
  expect(moved.stdout.split("\n")[0]).toBe(`· ${second.id}  ${second.title.en}`);
});

test.concurrent("a passed exercise that is edited afterwards has to pass again", async () => {
  const one = student();
  one.solve("2.1");
  await bucle(["check"], { cwd: one.cwd });
  expect(one.progress().exercises["2.1"]).toMatchObject({ status: "passed", firstTry: "right" });
  one.answer("2.1", { callModel: null });
  const said = await bucle(["start", "2.1", "--lang", "en"], { cwd: one.cwd });
  expect(said.stdout).toMatch(/^✗ 2\.1 /);
  expect(unwrapped(said.stdout)).toContain("[2.1 ✗]");
});

test.concurrent("another exercise may be asked for; one that fails is a verdict and no error", async () => {
  const one = student();
  one.miss("2.4", "dropped-tool-result");
  const said = await bucle(["start", "2.4", "--lang", "en"], { cwd: one.cwd });
  expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(said.stdout).toMatch(/^✗ 2\.4 /);
  expect(unwrapped(said.stdout)).toContain("[2.4 ✗]");
});

test.concurrent("a hint that was asked for does not make an exercise a failed one", async () => {
  const { cwd } = student();
  await bucle(["hint", "2.3"], { cwd });
  expect(unwrapped((await bucle(["start"], { cwd })).stdout)).toContain(" 2.3 · 2.4 · ");
});

test.concurrent("when all is done it says so", async () => {
  const one = student();
  for (const { id } of EXERCISES) one.solve(id);
  const checked = await bucle(["check", "--lang", "en"], { cwd: one.cwd });
  expect(checked).toMatchObject({ code: 0, stderr: "" });
  expect(checked.stdout).toContain(`${ALL} passed\nWell done!`);
  const said = await bucle(["start", "--lang", "en"], { cwd: one.cwd });
  expect(said.code).toBe(0);
  expect(said.stdout).toContain(`${ALL} of ${ALL} exercises`);
  expect(unwrapped(said.stdout)).toContain("You have finished every exercise there is so far");
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

test.concurrent("a conversation that fails is kept by start as by check, and goes once the exercise passes", async () => {
  const one = student();
  const kept = join(one.cwd, ".bucle", "generated", "2.3.json");
  one.solve("2.3");
  const agent = join(one.folder("2.3"), "agent.ts");
  // One turn too few for the longest that is drawn.
  const capped = readFileSync(agent, "utf8")
    .replace(/^ {2}let response/m, "  let laps = 0;\n  let response")
    .replace(/while \((.*)\) \{/, "while ($1 && laps++ < 5) {");
  one.write("2.3", "agent.ts", capped);
  const fails = await bucle(["start", "2.3", "--lang", "en"], { cwd: one.cwd });
  expect(fails.stdout).toContain("npx bucle check 2.3 --scenario .bucle/generated/2.3.json");
  expect(existsSync(kept)).toBe(true);
  one.solve("2.3");
  expect((await bucle(["start", "2.3", "--lang", "en"], { cwd: one.cwd })).stdout).toMatch(/^✓ 2\.3/);
  expect(existsSync(kept)).toBe(false);
});
