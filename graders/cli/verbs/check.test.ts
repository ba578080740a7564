import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { CheckDocument, ExerciseDocument } from "../../reports/json/json.ts";
import { HEAD_LINES, TAIL_LINES } from "../../reports/terminal/printed.ts";
import { LANGS } from "../../trace/text.ts";
import { BARE, bucle, documentOf, EXERCISES, KIT, type Said, unwrapped } from "../testing/bucle.ts";
import { freshFolder, type Student, student } from "../testing/folders.ts";
import { onTurn } from "../testing/loops.ts";

const THROWS_ON_LINE = 17;
const PRINTED_LINES = 40;

/** One who has begun four exercises: a loop on an old reply, a throw, a dropped result, and a loop that prints. */
let ana: Student;
let asText: Said;
let asJson: Said;
let found: CheckDocument;

beforeAll(async () => {
  ana = student();
  ana.miss("2.2", "missing-reassignment.discarded");
  ana.write(
    "2.3",
    "agent.ts",
    `${"\n".repeat(THROWS_ON_LINE - 1)}export const runAgent = () => { throw new Error("no luck"); };`,
  );
  ana.miss("2.4", "dropped-tool-result");
  ana.solve("2.5");
  const print = `for (let line = 1; line <= ${PRINTED_LINES}; line++) console.log("line " + line);`;
  ana.write("2.5", "own.ts", `export function print() { ${print} }`);
  const code = "import { print } from './own.ts';\nimport { runAgent as solved } from './solved.ts';\n";
  const run =
    "export const runAgent = (...given: Parameters<typeof solved>) => { print(); return solved(...given); };\n";
  ana.write("2.5", "solved.ts", readFileSync(join(KIT, "solutions/2.5-text-only-history/agent.ts"), "utf8"));
  ana.write("2.5", "agent.ts", code + run);
  const where = { cwd: ana.cwd };
  [asText, asJson] = await Promise.all([
    bucle(["check", "--lang", "en", "--seed", "s1"], where),
    bucle(["check", "--json", "--lang", "en", "--seed", "s1"], where),
  ]);
  found = documentOf(asJson);
});

test.concurrent("the solutions pass", async () => {
  const said = await bucle(["check", "--dir", "solutions", "--lang", "es"]);
  expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(said.stdout).toContain(`${EXERCISES.length} pasan\n¡Bien hecho!`);
});

test.concurrent("--json prints one document and nothing else, and the solutions get every point", async () => {
  const said = await bucle(["check", "--dir", "solutions", "--json", "--lang", "en"]);
  expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(said.stdout).toMatch(/^\{\n.*\n\}\n$/s);
  const document = documentOf(said);
  expect(document.lang).toBe("en");
  expect(document.exercises.map(({ status }) => status)).toEqual(EXERCISES.map(() => "passed"));
  expectToAddUp(document);
  expect(document.totals).toMatchObject({ passed: EXERCISES.length, failed: 0, error: 0, untouched: 0 });
  expect(document.totals.points.earned).toBe(document.totals.points.possible);
});

test.concurrent("without ids, what was started is graded and nothing else; something failed, so the exit code is 1", () => {
  expect(asJson).toMatchObject({ code: 1, stderr: "" });
  expect(asText).toMatchObject({ code: 1, stderr: "" });
  expect(found.exercises.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "2.2 failed",
    "2.3 failed",
    "2.4 failed",
    "2.5 passed",
  ]);
  expectToAddUp(found);
});

test.concurrent.each([
  ["2.2", "missing-reassignment", "looped"],
  ["2.4", "dropped-tool-result", "threw"],
])("the near miss put in place of %s is called %s, at its file and line", (id, diagnosis, outcome) => {
  const run = exerciseOf(found, id).runs.find(({ diagnoses }) => diagnoses.length > 0);
  expect(run?.outcome).toBe(outcome);
  const [first] = run?.diagnoses ?? [];
  expect(first).toMatchObject({ id: diagnosis, weight: "fault", file: "agent.ts" });
  const said = unwrapped(partAbout(asText.stdout, id));
  expect(said).toContain(unwrapped(first?.message ?? "?"));
  expect(said).toContain(unwrapped(first?.next ?? "?"));
  expect(said).toContain(`agent.ts:${first?.line} `);
});

test.concurrent("a throw is told with the line it comes from, and its text", () => {
  for (const run of exerciseOf(found, "2.3").runs) {
    expect(run).toMatchObject({
      outcome: "threw",
      error: { message: "no luck", file: "agent.ts", line: THROWS_ON_LINE },
    });
  }
  const said = partAbout(asText.stdout, "2.3");
  expect(said).toContain(`agent.ts:${THROWS_ON_LINE}\n`);
  expect(said).toMatch(new RegExp(`> ${THROWS_ON_LINE} │ export const runAgent`));
  expect(said).toContain("no luck");
});

test.concurrent("what the code printed stands behind a bar: head, tail and the command that shows the rest", async () => {
  const rows = asText.stdout.split("\n").map((row) => row.trim());
  const bar = (line: number) => `│ line ${line}`;
  for (const line of [1, HEAD_LINES, PRINTED_LINES - TAIL_LINES + 1, PRINTED_LINES]) expect(rows).toContain(bar(line));
  for (const line of [HEAD_LINES + 1, PRINTED_LINES - TAIL_LINES]) expect(rows).not.toContain(bar(line));
  expect(unwrapped(asText.stdout)).toContain(
    `${PRINTED_LINES - HEAD_LINES - TAIL_LINES} more lines. To see them: npx bucle check 2.5 --all-output`,
  );
  const all = await bucle(["check", "2.5", "--all-output", "--lang", "en"], { cwd: ana.cwd });
  expect(all.code).toBe(0);
  const shown = all.stdout.split("\n").map((row) => row.trim());
  for (let line = 1; line <= PRINTED_LINES; line += 1) expect(shown).toContain(bar(line));
});

test.concurrent("exercises as they were given are untouched: nothing passed, no points, exit code 1", async () => {
  const { cwd } = student();
  const ids = EXERCISES.map(({ id }) => id);
  // In no order, one of them twice, and once by its folder: each is graded once, in the course's order.
  const asked = [...ids].reverse().concat("2.4-every-block", "2.1");
  const said = await bucle(["check", ...asked, "--json", "--lang", "en"], { cwd });
  expect(said.code).toBe(1);
  const document = documentOf(said);
  expect(document.exercises.map(({ id }) => id)).toEqual(ids);
  expect(document.exercises.filter(({ status }) => status !== "untouched")).toEqual([]);
  expect(document.exercises.flatMap(({ criteria }) => criteria).filter(({ status }) => status === "passed")).toEqual(
    [],
  );
  expectToAddUp(document);
  expect(document.totals).toMatchObject({
    passed: 0,
    failed: 0,
    error: 0,
    untouched: ids.length,
    points: { earned: 0 },
  });
});

test.concurrent("with nothing started there is nothing to check: exit code 1 and where to begin", async () => {
  const { cwd } = student();
  for (const lang of LANGS) {
    const said = await bucle(["check", "--lang", lang], { cwd });
    expect(said).toMatchObject({ code: 1, stderr: "" });
    expect(said.stdout).toContain("npm start");
    expect(said.stdout).toContain({ es: "Aún no has empezado", en: "You have not started" }[lang]);
  }
  const json = await bucle(["check", "--json", "--lang", "en"], { cwd });
  expect(json.code).toBe(1);
  expect(documentOf(json)).toMatchObject({ exercises: [], totals: { points: { earned: 0, possible: 0 } } });
});

test.concurrent("the printed seed repeats the very output, and another seed draws other ids", async () => {
  const cwd = freshFolder();
  const args = ["check", "2.4", "--dir", ana.exercises, "--lang", "en", "--verbose"];
  const first = await bucle(args, { cwd });
  const seed = /--seed (\S+)/.exec(first.stdout)?.[1] ?? "none printed";
  const [again, other] = await Promise.all([
    bucle([...args, "--seed", seed], { cwd }),
    bucle([...args, "--seed", "another"], { cwd }),
  ]);
  const timeless = ({ code, stdout }: Said) => ({ code, stdout: stdout.replace(/\d+ ms/g, "? ms") });
  expect(timeless(again)).toEqual(timeless(first));
  const idsIn = ({ stdout }: Said) => stdout.match(/toolu_\w+/g);
  expect(idsIn(first)).not.toBeNull();
  expect(idsIn(other)).not.toEqual(idsIn(first));
});

test.concurrent("--dir keeps no progress: the work may be somebody else's", async () => {
  const cwd = freshFolder();
  await bucle(["check", "2.1", "--dir", ana.exercises], { cwd });
  expect(readdirSync(cwd)).toEqual([]);
});

test.concurrent("one conversation from its file has no points, whatever else the exercise asks", async () => {
  const one = student();
  const cwd = one.cwd;
  const file = "one of mine.json";
  // It refuses nothing, and the questions are not answered: neither is asked of one conversation.
  writeFileSync(
    join(cwd, file),
    readFileSync(join(KIT, "fixtures/scenarios/migration-inside-the-window.json"), "utf8"),
  );
  one.write("2.6", "agent.ts", readFileSync(join(KIT, "solutions/2.6-request-not-receipt/agent.ts"), "utf8"));
  const well = await bucle(["check", "2.6", "--scenario", file, "--lang", "en"], { cwd });
  expect(well).toMatchObject({ code: 0, stderr: "" });
  expect(well.stdout).toMatch(/this conversation goes well\n/);
  expect(well.stdout).toMatch(/The whole exercise +npx bucle check 2\.6$/m);
  one.write("2.6", "agent.ts", "export const runAgent = async () => 1;");
  const wrong = await bucle(["check", "2.6", "--scenario", file, "--lang", "en"], { cwd });
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toMatch(/this conversation does not go well yet\n/);
  for (const { stdout } of [well, wrong]) expect(stdout).not.toMatch(/\d+ points|Well done|\d\/\d/);
});

test.concurrent("a reader that has seen enough is no error, and the exit code stays", async () => {
  const args = [join(KIT, "graders/cli/bucle.cjs"), "check", "2.4", "--dir", ana.exercises];
  const child = spawn(process.execPath, args, { env: BARE, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const code = await new Promise((done) => child.on("close", done));
  expect(errors).toBe("");
  expect(code).toBe(1);
});

test.concurrent("what another command notes while a check runs is kept", async () => {
  const one = student();
  one.answer("2.1");
  // Only the conversation of three turns gets here, and stays until the loop guard speaks.
  one.write("2.2", "agent.ts", onTurn(2, "while (true) await null;"));
  const checking = bucle(["check", "2.1", "2.2"], { cwd: one.cwd });
  await vi.waitFor(() => expect(one.progress().exercises["2.1"]?.status).toBe("passed"), { timeout: 20_000 });
  await bucle(["hint", "2.3"], { cwd: one.cwd });
  expect(one.progress().exercises["2.2"], "the hint was asked for while the check went on").toBeUndefined();
  await checking;
  expect(one.progress().exercises).toMatchObject({
    "2.1": { status: "passed" },
    "2.2": { status: "failed" },
    "2.3": { hints: 1 },
  });
});

test.concurrent("a file that was saved with a byte order mark, or does not parse, is told as the student's own", async () => {
  const one = student();
  one.write("2.3", "agent.ts", "\uFEFFexport async function runAgent( {\n");
  const said = await bucle(["check", "2.3", "--json", "--lang", "es"], { cwd: one.cwd });
  expect(said).toMatchObject({ code: 1, stderr: "" });
  const [exercise] = documentOf(said).exercises;
  expect(exercise).toMatchObject({ status: "failed", problem: { whose: "student", file: "agent.ts" } });
  expect(exercise?.criteria.map(({ status }) => status)).toEqual(["skipped", "skipped", "skipped", "skipped"]);
});

function exerciseOf({ exercises }: CheckDocument, id: string): ExerciseDocument {
  return exercises.find((exercise) => exercise.id === id) as ExerciseDocument;
}

/** What a report says of one exercise: from its heading to the next one's, or to the last rows of all. */
function partAbout(report: string, id: string): string {
  const parts = report.split(/^(?=[✓✗·!] \d|─)/m);
  return parts.find((part) => part.slice(2).startsWith(`${id}  `)) ?? "";
}

function expectToAddUp({ exercises, totals }: CheckDocument): void {
  const points = (items: readonly { points: { earned: number; possible: number } }[]) => ({
    earned: items.reduce((sum, item) => sum + item.points.earned, 0),
    possible: items.reduce((sum, item) => sum + item.points.possible, 0),
  });
  for (const exercise of exercises) expect(exercise.points).toEqual(points(exercise.criteria));
  expect(totals.points).toEqual(points(exercises));
  for (const status of ["passed", "failed", "error", "untouched"] as const) {
    expect(totals[status]).toBe(exercises.filter((exercise) => exercise.status === status).length);
  }
}

test("a file called agent.ts in the current folder is nobody's submission", async () => {
  const cwd = join(KIT, "solutions", "2.4-every-block");
  const said = await bucle(["check", "2.4", "--dir", "..", "--lang", "en"], { cwd });
  expect(said).toMatchObject({ code: 0 });
  expect(said.stdout).toContain("16 of 16 points");
});

test("a folder that is not there was not handed in, and is no starter left as it was", async () => {
  const said = await bucle(["check", "2.4", "--dir", join(KIT, "lessons"), "--lang", "en"], { cwd: KIT });
  expect(said).toMatchObject({ code: 1 });
  expect(said.stdout).toContain("Nothing has been handed in.");
});

test.each(["a b", "x\n", "", "s".repeat(65)])(
  "a seed that a shell would not give back is refused: %j",
  async (seed) => {
    expect(await bucle(["check", "2.3", "--dir", "solutions", `--seed=${seed}`], { cwd: KIT })).toMatchObject({
      code: 2,
    });
  },
);
