/** The vitest project `exercises`: what a student sees in an editor's test panel. Run in a copy of the kit. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { EXERCISES, KIT, node } from "./testing/bucle.ts";
import { kitCopy, solveAll } from "./testing/folders.ts";

interface Report {
  testResults: {
    assertionResults: { ancestorTitles: string[]; title: string; status: string; failureMessages: string[] }[];
  }[];
}

const criteria = EXERCISES.flatMap(({ id, title, criteria: demanded }) =>
  demanded.map((criterion) => `${id} ${title.en} > ${criterion.title.en}`),
);
async function runProject(kit: string) {
  const vitest = join(KIT, "node_modules/vitest/vitest.mjs");
  const args = ["run", "--root", kit, "--project", "exercises", "--reporter=json"];
  const said = await node([vitest, ...args], { cwd: kit, env: { BUCLE_LANG: "en" } });
  const tests = (JSON.parse(said.stdout) as Report).testResults.flatMap(({ assertionResults }) => assertionResults);
  return { code: said.code, tests };
}

test("one test per criterion: all fail on a fresh checkout, at the student's line, and pass with the solutions", async () => {
  const kit = kitCopy({ runtime: inject("runtime") });
  const fresh = await runProject(kit);
  expect(fresh.code).toBe(1);
  expect(fresh.tests.map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(" > "))).toEqual(criteria);
  expect(fresh.tests.filter(({ status }) => status !== "failed")).toEqual([]);
  for (const { id, folder, scenarios, criteria } of EXERCISES) {
    const failed = fresh.tests.filter(({ ancestorTitles }) => ancestorTitles[0]?.startsWith(`${id} `));
    for (const { failureMessages } of failed) expect(failureMessages[0]).toContain(`npx bucle check ${id} --seed `);
    // An editor marks the line at the end of the stack: the student's, for what their code does wrong.
    const last = failed.map(({ failureMessages }) => failureMessages[0]?.split("\n").at(-1));
    const here = `    at runAgent (${join(kit, "exercises", folder, "agent.ts")}:`;
    const marked = criteria.filter(({ on }) => scenarios && on !== "quiz");
    expect(last.filter((row) => row?.startsWith(here))).toHaveLength(marked.length);
  }

  solveAll(kit);
  const solved = await runProject(kit);
  expect(solved.code).toBe(0);
  expect(solved.tests.map(({ status }) => status)).toEqual(criteria.map(() => "passed"));
  expect(readdirSync(kit)).not.toContain(".bucle");
});
