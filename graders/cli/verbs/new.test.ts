import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { diagnoses } from "../../diagnoses/catalog/catalog.ts";
import { bucle, KIT, node } from "../testing/bucle.ts";
import { kitCopy } from "../testing/folders.ts";

const FILES = ["late-answer.ts", "late-answer.test.ts", "late-answer.es.md", "late-answer.en.md"];
const folder = (kit: string) => join(kit, "graders/diagnoses");
const vitest = join(KIT, "node_modules/vitest/vitest.mjs");
const tsc = join(KIT, "node_modules/typescript/bin/tsc");

test("a new diagnosis compiles, finds nothing, and its tests fail until it is written", async () => {
  const kit = kitCopy({ runtime: inject("runtime") });
  const said = await bucle(["new", "diagnosis", "late-answer", "--lang", "en"], { kit, cwd: kit });
  expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(said.stdout.split("\n").slice(0, 4)).toEqual(FILES.map((file) => `  graders/diagnoses/${file}`));
  for (const word of ["npx bucle verify", "solutions/<exercise>/wrong/late-answer.ts", "`teaches`"])
    expect(said.stdout).toContain(word);

  const [source, , ...pages] = FILES.map((file) => readFileSync(join(folder(kit), file), "utf8"));
  for (const text of [source!, ...pages]) {
    expect(text).toContain("late-answer");
    expect(text).not.toContain("some-mistake");
  }
  const rank = Number(/rank: (\d+),/.exec(source!)![1]);
  expect(rank).toBeGreaterThan(0);
  expect(diagnoses.map((each) => each.rank)).not.toContain(rank);
  expect(said.stdout).toContain(`rank is ${rank},`);

  const types = await node([tsc, "-p", kit], { cwd: kit });
  expect(types.stdout.split("\n").filter((row) => row.includes("late-answer"))).toEqual([]);

  const run = async (...files: string[]) => {
    const args = ["run", "--root", kit, "--project", "kit", "--reporter=json", ...files];
    const { stdout } = await node([vitest, ...args], { cwd: kit });
    const { testResults } = JSON.parse(stdout) as {
      testResults: { assertionResults: { fullName: string; status: string }[] }[];
    };
    return testResults.flatMap(({ assertionResults }) => assertionResults);
  };
  const own = await run("graders/diagnoses/late-answer.test.ts");
  const failed = own.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
  expect(failed).toEqual([expect.stringContaining("write here")]);
  expect(own.length).toBeGreaterThan(3);
  const shape = await run("graders/diagnoses/catalog/pages.test.ts", "-t", "late-answer");
  const ofIts = shape.filter(({ fullName }) => fullName.includes("late-answer"));
  expect(ofIts.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "failed"));

  const again = await bucle(["new", "diagnosis", "late-answer", "--lang", "es"], { kit, cwd: kit });
  expect(again).toMatchObject({ code: 2, stdout: "" });
  for (const file of FILES) expect(again.stderr).toContain(`graders/diagnoses/${file}`);
});

test.concurrent.each([
  ["nothing to make", ["new"], "npx bucle new diagnosis <id>"],
  ["no id", ["new", "diagnosis"], "npx bucle new diagnosis <id>"],
  ["a word too many", ["new", "diagnosis", "one", "two"], "npx bucle new diagnosis <id>"],
  ["something else", ["new", "exercise", "one"], "npx bucle new diagnosis <id>"],
  ["capitals", ["new", "diagnosis", "LateAnswer"], "`LateAnswer` cannot be an id"],
  ["a path", ["new", "diagnosis", "../late"], "`../late` cannot be an id"],
  ["forty-one letters", ["new", "diagnosis", "a".repeat(41)], "cannot be an id"],
  ["one that exists", ["new", "diagnosis", "busy-loop"], "graders/diagnoses/busy-loop.ts"],
])("%s is wrong usage, and nothing is written", async (_what, args, text) => {
  const before = readdirSync(folder(KIT));
  const said = await bucle([...args, "--lang", "en"]);
  expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(said.stderr).toContain(text);
  expect(readdirSync(folder(KIT))).toEqual(before);
});

test("a packed kit has no place for one, and says so", async () => {
  const kit = kitCopy({ runtime: inject("runtime") });
  for (const sources of ["graders/diagnoses", "graders/cli/main.ts"]) rmSync(join(kit, sources), { recursive: true });
  const said = await bucle(["new", "diagnosis", "late-answer", "--lang", "en"], { kit, cwd: kit });
  expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(said.stderr).toContain("Clone the repository");
  expect(existsSync(folder(kit))).toBe(false);
});
