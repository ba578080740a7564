import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SURPLUS_RUNS, SURPLUS_RUNS_AGAIN } from "../diagnoses/limits/limits.ts";
import { type CourseExercise, contentHash } from "./course.ts";
import type { ExerciseGrade } from "./grade.ts";
import type { Work } from "./spec.ts";
import {
  copyFake,
  exerciseOf,
  FAKE,
  freshFolder,
  openEngine,
  openFake,
  read,
  submission,
  withEngine,
} from "./testing/fake.ts";

const temp = freshFolder();
const course = await openFake();
const engine = openEngine(course);
const count = exerciseOf(course, "1.1");
const run = exerciseOf(course, "1.2");
/** An exercise with code and questions. */
const mixed: CourseExercise = {
  ...run,
  ...(count.quiz ? { quiz: count.quiz } : {}),
  criteria: [...run.criteria, ...count.criteria],
};

const SOLUTION = read(FAKE, "solutions", run.folder, "agent.ts");
const NEAR_MISS = read(FAKE, "solutions", run.folder, "wrong", "stopped-early.ts");
const ANSWERS = read(FAKE, "solutions", count.folder, "answers.json");
/** Prints what the seed draws: ids, and the tokens in texts and results. */
const TALKATIVE = SOLUTION.replace(
  "  return response;",
  "  console.log(JSON.stringify(messages));\n  return response;",
);

const folderOf = (name: string, files: Record<string, string>) => submission(join(temp, name), files);
const statuses = ({ criteria }: ExerciseGrade) => criteria.map(({ id, status }) => `${id} ${status}`);
const asShipped = (exercise: CourseExercise) => join(FAKE, "exercises", exercise.folder);
/** All of a grade that may not change from one run to the next. */
const withoutTime = (grade: ExerciseGrade) => ({ ...grade, runs: grade.runs.map((each) => ({ ...each, ms: 0 })) });
/** What a grade decides: nothing that is drawn, nothing that is read. */
const verdict = (grade: ExerciseGrade) => ({
  status: grade.status,
  points: grade.points,
  criteria: statuses(grade),
  runs: grade.runs.map(({ outcome, kind, counts, expected, findings }) => ({
    outcome,
    kind,
    counts,
    expected,
    findings: findings.map(({ id, turn, at }) => ({ id, turn, at })),
  })),
});

test("a file that breaks down on import is no loop that ended with an error", async () => {
  const loads = async (name: string, more: string) =>
    await engine.gradeExercise(run, folderOf(name, { "agent.ts": `${SOLUTION}\n${more}\n` }));
  const throws = await loads("throws on import", 'throw new Error("too soon");');
  const line = SOLUTION.split("\n").length + 1;
  expect(throws).toMatchObject({ status: "failed", runs: [], problem: { whose: "student", at: { line } } });
  expect(throws.problem?.headline.en).toBe("`agent.ts` does not load, so `runAgent` was never called.");
  expect(throws.problem?.detail.es).toContain("antes de llamar a `runAgent`: `Error`: «too soon»");
  expect(throws.criteria.every(({ status }) => status === "skipped")).toBe(true);

  const waits = await loads("waits on import", "await new Promise(() => {});");
  expect(waits).toMatchObject({ status: "failed", runs: [], problem: { whose: "student", at: { line } } });
  expect(waits.problem?.detail.en).toContain("an `await` that stands outside the functions");
});

test("an export that cannot be called is told as one that is missing, and a loop that throws at once as a loop", async () => {
  const exports = async (name: string, text: string) =>
    await engine.gradeExercise(run, folderOf(name, { "agent.ts": text }));
  const word = await exports("a text", 'export const runAgent = "hello";');
  expect(word).toMatchObject({ status: "failed", runs: [], problem: { whose: "student" } });
  expect(word.problem?.headline.en).toBe("`agent.ts` does not export a `runAgent` function.");
  expect(word.problem?.detail.es).toContain("El export `runAgent` es un texto");
  const list = await exports("a list", "export default [];");
  expect(list.problem?.detail.en).toContain("The export `default` is a list");

  const early = await exports("throws at once", 'export function runAgent() { throw new Error("no"); }');
  expect(early.problem).toBeNull();
  expect(early.runs[0]?.findings.map(({ id }) => id)).toEqual(["threw"]);
});

test("a run by which a criterion fails is marked, also where no mistake is found in it", async () => {
  const about = (works: boolean) => ({
    ...run.criteria[0]!,
    check: ({ runs }: Work) =>
      runs.length > 0 && works ? null : { es: runs.length ? "No." : "Nada.", en: runs.length ? "No." : "Nothing." },
  });
  const folder = folderOf("marked", { "agent.ts": SOLUTION });
  const markedBy = async (works: boolean) =>
    (await engine.gradeExercise({ ...run, criteria: [about(works)] }, folder)).runs.map(
      ({ findings, failsCriterion }) => [findings.length, failsCriterion ?? false],
    );
  expect(new Set((await markedBy(false)).map(String))).toEqual(new Set(["0,true"]));
  expect(new Set((await markedBy(true)).map(String))).toEqual(new Set(["0,false"]));
});

test("the solution passes with all points, and its runs say what was counted", async () => {
  const grade = await engine.gradeExercise(run, folderOf("solution", { "agent.ts": SOLUTION }));
  expect(grade).toMatchObject({
    id: "1.2",
    folder: "1.2-run-the-tool",
    status: "passed",
    points: { earned: 60, possible: 60 },
    quiz: null,
    problem: null,
  });
  expect(grade.criteria.map(({ message }) => message)).toEqual([null, null]);
  expect(grade.runs).toMatchObject([
    {
      scenario: "kettle-on",
      outcome: "returned",
      counts: { callModel: 2, executeTool: 1 },
      expected: { callModel: 2, executeTool: 1 },
      findings: [],
      error: null,
    },
  ]);
});

test("a near miss fails with what it lacks, its name, the line and a frame", async () => {
  const grade = await engine.gradeExercise(run, folderOf("near-miss", { "agent.ts": NEAR_MISS }));
  expect(grade).toMatchObject({ status: "failed", points: { earned: 20, possible: 60 } });
  expect(statuses(grade)).toEqual(["runs-the-tool passed", "hands-back-the-end failed"]);
  expect(grade.criteria[1]?.message?.es).toBe("No devolvió el final.");
  const finding = grade.runs[0]?.findings[0];
  const line = NEAR_MISS.split("\n").findIndex((text) => text.includes("return response")) + 1;
  expect(finding).toMatchObject({ id: "stopped-early", at: { file: "agent.ts", line }, frame: { line } });
  expect(finding?.frame?.lines).toContain(NEAR_MISS.split("\n")[line - 1]);
});

test("code that does not compile is shown with a frame; its criteria are skipped and the questions judged all the same", async () => {
  const folder = folderOf("typo", { "agent.ts": "export async function runAgent( {\n", "answers.json": ANSWERS });
  const grade = await engine.gradeExercise(mixed, folder);
  expect(grade).toMatchObject({ status: "failed", points: { earned: 40, possible: 100 }, runs: [] });
  expect(statuses(grade)).toEqual(["runs-the-tool skipped", "hands-back-the-end skipped", "prediction passed"]);
  expect(grade.criteria[0]?.message?.en).toMatch(/could not be run/);
  expect(grade.problem).toMatchObject({ whose: "student", at: { file: "agent.ts" } });
  expect(grade.problem?.frame?.lines).toContain("export async function runAgent( {");
});

test("answers that cannot be read skip the questions' criteria, and the code is judged all the same", async () => {
  const folder = folderOf("no-json", { "agent.ts": SOLUTION, "answers.json": "{ nope" });
  const grade = await engine.gradeExercise(mixed, folder);
  expect(statuses(grade)).toEqual(["runs-the-tool passed", "hands-back-the-end passed", "prediction skipped"]);
  expect(grade).toMatchObject({ status: "failed", problem: { whose: "student" }, quiz: null });
  expect(grade.problem?.headline.en).toMatch(/`answers\.json` is not valid JSON/);
});

test("a folder that is not there is an untouched exercise, and the reason is told", async () => {
  const grade = await engine.gradeExercise(run, join(temp, "nowhere"));
  expect(grade).toMatchObject({ status: "untouched", points: { earned: 0 }, problem: { whose: "student" } });
  expect(grade.problem?.detail.en).toContain(run.folder);
  expect(grade.criteria.map(({ message }) => message?.en)).toEqual(["Not started.", "Not started."]);
});

test("a folder without an agent file is a failed exercise", async () => {
  const grade = await engine.gradeExercise(run, folderOf("no-agent", { "notes.md": "nothing yet" }));
  expect(grade).toMatchObject({ status: "failed", points: { earned: 0 }, problem: { whose: "student" } });
  expect(grade.problem?.headline.en).toContain("`agent.ts` is missing");
});

test.skipIf(process.platform === "win32")("a named pipe is refused, not waited for", async () => {
  const folder = join(temp, "pipe");
  mkdirSync(folder);
  execFileSync("mkfifo", [join(folder, "agent.ts"), join(folder, "answers.json")]);
  const grade = await engine.gradeExercise(mixed, folder);
  expect(grade).toMatchObject({ status: "failed", points: { earned: 0 }, problem: { whose: "student" } });
  expect(grade.problem?.headline.en).toContain("`agent.ts` cannot be read");
  expect(new Set(grade.criteria.map(({ status }) => status))).toEqual(new Set(["skipped"]));
});

test.skipIf(process.platform === "win32")("symbolic links are not followed, not even to a solution", async () => {
  const folder = join(temp, "links");
  mkdirSync(folder);
  symlinkSync(join(FAKE, "solutions", run.folder, "agent.ts"), join(folder, "agent.ts"));
  symlinkSync(join(FAKE, "solutions", count.folder, "answers.json"), join(folder, "answers.json"));
  const grade = await engine.gradeExercise(mixed, folder);
  expect(grade).toMatchObject({ status: "failed", points: { earned: 0 }, problem: { whose: "student" } });
  expect(grade.problem?.detail.en).toMatch(/symbolic link/);
  expect(grade.quiz).toBeNull();
});

test("a file without an export that could be the loop is told what it lacks", async () => {
  const nothing = await engine.gradeExercise(
    run,
    folderOf("no-export", { "agent.ts": "async function runAgent() {}" }),
  );
  expect(nothing).toMatchObject({ status: "failed", points: { earned: 0 }, problem: { whose: "student" }, runs: [] });
  expect(nothing.problem?.headline.en).toBe("`agent.ts` does not export a `runAgent` function.");
  const two = folderOf("two-exports", { "agent.ts": "export const a = async () => {}; export const b = a;" });
  expect((await engine.gradeExercise(run, two)).problem?.detail.en).toMatch(/`a`, `b`/);
});

test("an error of ours is `error`, with no points lost to the student's name", async () => {
  const root = copyFake(join(temp, "broken-course"));
  rmSync(join(root, "fixtures/scenarios/kettle-on.json"));
  const folder = folderOf("fine", { "agent.ts": SOLUTION });
  const missing = await withEngine(await openFake(root), (ours) => ours.gradeExercise(run, folder));
  const throwing = {
    ...run,
    criteria: [
      {
        ...run.criteria[0]!,
        check: () => {
          throw new Error("the spec is wrong");
        },
      },
    ],
  };
  const broken = await engine.gradeExercise(throwing, folder);
  for (const grade of [missing, broken]) {
    expect(grade).toMatchObject({ status: "error", problem: { whose: "kit" }, points: { earned: 0 }, runs: [] });
    expect(new Set(grade.criteria.map(({ status }) => status))).toEqual(new Set(["error"]));
  }
  expect(missing.problem?.detail.en).toContain("fixtures/scenarios/kettle-on.json");
  expect(broken.problem?.detail.en).toContain("the spec is wrong");
});

test("the engine goes on after an error of ours", async () => {
  const throwing = { ...run, scenarios: ["no-such-scenario"] };
  const folder = folderOf("goes-on", { "agent.ts": SOLUTION });
  expect((await engine.gradeExercise(throwing, folder)).status).toBe("error");
  expect((await engine.gradeExercise(run, folder)).status).toBe("passed");
});

test("one seed gives one grade, but for the time it took", async () => {
  const folder = folderOf("seeded", { "agent.ts": TALKATIVE });
  const [first, second] = [await engine.gradeExercise(run, folder), await engine.gradeExercise(run, folder)];
  const elsewhere = await withEngine(course, (another) => another.gradeExercise(run, folder));
  expect(first.runs[0]?.printed.head.join("\n")).toContain("tool_use_id");
  expect(withoutTime(second)).toEqual(withoutTime(first));
  expect(withoutTime(elsewhere)).toEqual(withoutTime(first));
});

test("another seed gives the same verdict with other ids and tokens", async () => {
  for (const [name, text] of [
    ["right", TALKATIVE],
    ["wrong", NEAR_MISS],
  ] as const) {
    const folder = folderOf(`seeds-${name}`, { "agent.ts": text });
    const one = await engine.gradeExercise(run, folder);
    const other = await withEngine(course, (another) => another.gradeExercise(run, folder), { seed: "another" });
    expect(verdict(other)).toEqual(verdict(one));
    if (name === "wrong") continue;
    const drawn = (grade: ExerciseGrade) =>
      Array.from(grade.runs[0]!.printed.head.join("\n").matchAll(/toolu_\w+|#\w+/g), ([each]) => each);
    expect(drawn(one).length).toBeGreaterThan(3);
    expect(drawn(other).filter((each) => drawn(one).includes(each))).toEqual([]);
  }
});

test("the language changes no verdict", async () => {
  for (const [name, text] of [
    ["right", SOLUTION],
    ["wrong", NEAR_MISS],
  ] as const) {
    const folder = folderOf(`language-${name}`, { "agent.ts": text, "answers.json": ANSWERS });
    const english = await engine.gradeExercise(mixed, folder);
    const spanish = await withEngine(course, (another) => another.gradeExercise(mixed, folder), { lang: "es" });
    expect(withoutTime(spanish)).toEqual(withoutTime(english));
  }
});

test("the language is the one the conversation is held in", async () => {
  const folder = folderOf("speaks", { "agent.ts": TALKATIVE });
  const printed = ({ runs }: ExerciseGrade) => runs[0]?.printed.head.join("\n");
  expect(printed(await engine.gradeExercise(run, folder))).toMatch(/Water for \d cups/);
  const spanish = await withEngine(course, (another) => another.gradeExercise(run, folder), { lang: "es" });
  expect(printed(spanish)).toMatch(/Agua para \d tazas/);
});

test("what students start from is untouched, whatever its line ends", async () => {
  expect(await engine.gradeExercise(count, asShipped(count))).toMatchObject({
    status: "untouched",
    points: { earned: 0 },
  });
  expect(await engine.gradeExercise(run, asShipped(run))).toMatchObject({ status: "untouched", points: { earned: 0 } });
  const crlf = folderOf("crlf", { "agent.ts": read(asShipped(run), "agent.ts").replaceAll("\n", "\r\n") });
  expect((await engine.gradeExercise(run, crlf)).status).toBe("untouched");
});

test("an edit of either file, or a file beside them, is a touch", async () => {
  const agent = read(asShipped(run), "agent.ts");
  const answers = read(asShipped(count), "answers.json");
  const edited = folderOf("edited", { "agent.ts": `${agent}// mine\n` });
  expect((await engine.gradeExercise(run, edited)).status).toBe("failed");
  const answering = folderOf("answering", { "answers.json": answers.replace(`"callModel": null`, `"callModel": 2`) });
  expect((await engine.gradeExercise(count, answering)).status).toBe("failed");
  const helped = folderOf("helped", { "agent.ts": agent, "helper.ts": "export const mine = 1;\n" });
  expect((await engine.gradeExercise(run, helped)).status).toBe("failed");
});

test("an untouched exercise earns nothing, even where its criteria would hold", async () => {
  const folder = folderOf("generous", { "agent.ts": SOLUTION });
  const starters = new Map([[`${run.folder}/agent.ts`, contentHash(SOLUTION)]]);
  const grade = await withEngine({ ...course, starters }, (ours) => ours.gradeExercise(run, folder));
  expect(grade).toMatchObject({ status: "untouched", points: { earned: 0, possible: 60 } });
  expect(statuses(grade)).toEqual(["runs-the-tool skipped", "hands-back-the-end skipped"]);
});

test("a report holds what it was graded with", async () => {
  const report = engine.report([]);
  expect(report).toMatchObject({ kit: "test", seed: "test", pack: course.pack, exercises: [] });
  expect(report.layers.length).toBeGreaterThan(0);
});

test("what ended one conversation after being seen many times ends the next after few", async () => {
  const [name = ""] = run.scenarios ?? [];
  const twice: CourseExercise = { ...run, scenarios: [name, name] };
  const stale = SOLUTION.replace(/response = await callModel/g, "await callModel").replace(
    "let await",
    "let response = await",
  );
  const { runs } = await engine.gradeExercise(twice, folderOf("stale", { "agent.ts": stale }));
  expect(runs.map(({ kind }) => kind)).toEqual(["missing-reassignment", "missing-reassignment"]);
  expect(runs.map(({ counts }) => counts.executeTool)).toEqual([SURPLUS_RUNS + 1, SURPLUS_RUNS_AGAIN + 1]);
});
