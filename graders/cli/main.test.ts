import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LANGS, type Text } from "../trace/text.ts";
import { bucle, EXERCISES, KIT, type Said } from "./testing/bucle.ts";
import { freshFolder, student } from "./testing/folders.ts";

const IDS = EXERCISES.map(({ id }) => id).join(" ");

const WRONG_USAGE: [string, string[], Text][] = [
  [
    "a verb that does not exist",
    ["chek"],
    {
      es: "No conozco la orden `chek`. ¿Querías decir `check`?\n",
      en: "I do not know the command `chek`. Did you mean `check`?\n",
    },
  ],
  ["an option that does not exist", ["check", "--jsn"], { es: "la opción `--jsn`", en: "the option `--jsn`" }],
  ["an option without its value", ["check", "--dir"], { es: "le falta su valor", en: "needs a value" }],
  ["one exercise too many", ["start", "2.1", "2.2"], { es: "Sobran palabras", en: "too many words" }],
  [
    "an id that does not exist",
    ["check", "2.1", "9.9"],
    { es: `\`9.9\`. Los que hay: ${IDS}\n`, en: `\`9.9\`. There are: ${IDS}\n` },
  ],
  [
    "a folder that does not exist",
    ["check", "--dir", "ñu"],
    { es: "No existe la carpeta `ñu`", en: "There is no folder `ñu`" },
  ],
];

test.concurrent.each(WRONG_USAGE)(
  "%s is wrong usage: exit code 2 and plain words, in both languages",
  async (_what, args, text) => {
    await Promise.all(LANGS.map(async (lang) => expectWrongUsage(await bucle([...args, "--lang", lang]), text[lang])));
  },
);

test.concurrent.each([
  ["start", ["start", "9.9"]],
  ["hint", ["hint", "9.9"]],
])("%s names the exercises there are", async (_verb, args) => {
  expectWrongUsage(await bucle([...args, "--lang", "en"]), `There are: ${IDS}\n`);
});

test.concurrent("a file is no folder", async () => {
  expectWrongUsage(
    await bucle(["check", "--dir", "package.json", "--lang", "en"]),
    "There is no folder `package.json`",
  );
});

test.concurrent("a language that does not exist is wrong usage, told in the one the user has", async () => {
  for (const [env, text] of [
    [{ LANG: "en_GB.UTF-8" }, "There are no texts in `fr`"],
    [{ LANG: "es_AR.UTF-8" }, "No hay textos en `fr`"],
  ] as const) {
    expectWrongUsage(await bucle(["check", "--lang", "fr"], { env }), text);
  }
});

test.concurrent("--json and wrong usage: nothing on stdout, so that no reader takes it for a document", async () => {
  expectWrongUsage(await bucle(["check", "9.9", "--json", "--lang", "en"]), "There is no exercise");
});

test.concurrent.each(LANGS)("no words at all is wrong usage and shows the help, in %s", async (lang) => {
  const [bare, asked] = await Promise.all([bucle(["--lang", lang]), bucle(["--lang", lang, "--help"])]);
  expect(bare).toEqual({ code: 2, stdout: asked.stdout, stderr: "" });
  expect(asked).toMatchObject({ code: 0, stderr: "" });
  expect(asked.stdout).toMatch({ es: /^Uso: bucle /, en: /^Usage: bucle / }[lang]);
  for (const verb of ["start", "check", "hint", "verify"])
    expect(asked.stdout).toMatch(new RegExp(`^ {2}${verb} `, "m"));
});

test.concurrent("really no words: the help, exit code 2", async () => {
  const said = await bucle([], { env: { LANG: "en_US.UTF-8" } });
  expect(said).toMatchObject({ code: 2, stderr: "" });
  expect(said.stdout).toMatch(/^Usage: bucle /);
});

test.concurrent("a verb's help is translated too: no English word of the parser's own is left in the Spanish one", async () => {
  const [main, es, en] = await Promise.all([
    bucle(["--help", "--lang", "es"]),
    bucle(["check", "--help", "--lang=es"]),
    bucle(["check", "--lang", "en", "--help"]),
  ]);
  expect([main.code, es.code, en.code]).toEqual([0, 0, 0]);
  expect(es.stdout).toMatch(/^Uso: bucle check \[ids\.\.\.\] \[opciones\]\n/);
  expect(en.stdout).toMatch(/^Usage: bucle check \[ids\.\.\.\] \[options\]\n/);
  for (const { stdout } of [main, es])
    expect(stdout).not.toMatch(/usage|options|command|arguments|display|version number/i);
  for (const option of ["--json", "--dir", "--seed", "--lang", "--no-color"]) {
    expect(es.stdout).toContain(option);
    expect(en.stdout).toContain(option);
  }
});

test.concurrent("--version says the version of package.json", async () => {
  const { version } = JSON.parse(readFileSync(join(KIT, "package.json"), "utf8")) as { version: string };
  expect(await bucle(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test.concurrent("common options may stand before the verb", async () => {
  const { cwd } = student();
  const said = await bucle(["--lang", "en", "check", "2.1"], { cwd });
  expect(said).toMatchObject({ code: 1, stderr: "" });
  expect(said.stdout).toContain("Count the turns");
});

test.concurrent("a folder without exercises has nothing to check", async () => {
  const said = await bucle(["check", "--dir", freshFolder(), "--lang", "en"]);
  expect(said).toMatchObject({ code: 1, stderr: "" });
  expect(said.stdout).toContain("You have not started any exercise yet");
});

function expectWrongUsage(said: Said, text: string): void {
  expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(said.stderr).toContain(text);
  expect(said.stderr).not.toMatch(/\n\s+at |Error/);
}
