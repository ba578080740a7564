import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bucle, documentOf } from "./testing/bucle.ts";
import { freshFolder, student } from "./testing/folders.ts";

const ESCAPE = "\u001b[";
const { cwd } = student();

const COLOURS: [string, boolean, Record<string, string>, string[]][] = [
  [
    "a pipe gets no colour, whatever the terminal can do",
    false,
    { TERM: "xterm-256color", COLORTERM: "truecolor" },
    [],
  ],
  ["FORCE_COLOR gives it", true, { FORCE_COLOR: "1" }, []],
  ["FORCE_COLOR=0 does not", false, { FORCE_COLOR: "0" }, []],
  ["NO_COLOR wins over FORCE_COLOR", false, { NO_COLOR: "1", FORCE_COLOR: "1" }, []],
  ["--no-color wins over FORCE_COLOR", false, { FORCE_COLOR: "1" }, ["--no-color"]],
];

test.concurrent.each(COLOURS)("%s", async (_what, coloured, env, args) => {
  const { stdout } = await bucle(["check", "2.1", "--lang", "en", ...args], { cwd, env });
  expect(stdout).toContain("Count the turns");
  expect(stdout.includes(ESCAPE)).toBe(coloured);
});

test.concurrent("--json has no colour, even when forced", async () => {
  const said = await bucle(["check", "2.1", "--json"], { cwd, env: { FORCE_COLOR: "1" } });
  expect(said.stdout).not.toContain(ESCAPE);
  expect(documentOf(said).exercises).toHaveLength(1);
});

test.concurrent("with colour or without, the words are the same", async () => {
  const args = ["check", "2.1", "--lang", "es", "--seed", "s"];
  const [plain, coloured] = await Promise.all([bucle(args, { cwd }), bucle(args, { cwd, env: { FORCE_COLOR: "1" } })]);
  expect(
    coloured.stdout
      .split(ESCAPE)
      .map((part, index) => (index === 0 ? part : part.replace(/^\d+m/, "")))
      .join(""),
  ).toBe(plain.stdout);
});

test.concurrent("--dir takes a path from where the user is, and any folder of that shape", async () => {
  const here = freshFolder();
  const inbox = join(here, "entregas", "José");
  mkdirSync(inbox, { recursive: true });
  const one = student();
  one.solve("2.3");
  cpSync(one.folder("2.3"), join(inbox, "2.3-write-the-loop"), { recursive: true });
  const said = await bucle(["check", "--dir", join("entregas", "José"), "--json"], { cwd: here });
  expect(said.code).toBe(0);
  expect(documentOf(said).exercises.map(({ id, status }) => `${id} ${status}`)).toEqual(["2.3 passed"]);
  expect(readdirSync(here)).toEqual(["entregas"]);
});
