import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { ExerciseGrade, QuizGrade } from "./grade.ts";
import {
  afterGrade,
  afterHint,
  filesHash,
  hasPassed,
  type Progress,
  progressFile,
  readProgress,
  UnreadableProgress,
  writeProgress,
} from "./progress.ts";
import { freshFolder, read, submission } from "./testing/fake.ts";

const temp = freshFolder();
const NOTHING: Progress = { version: 1, exercises: {} };
const fileIn = (name: string) => progressFile(join(temp, name, "exercises"));
const work = (name: string, files: Record<string, string> = { "agent.ts": "export {};\n" }) =>
  submission(join(temp, name), files);

/** A grade of exercise 1.1, as far as progress looks at it. */
function graded(status: ExerciseGrade["status"], quiz: Partial<QuizGrade> | null = null): ExerciseGrade {
  const title = { es: "Cuenta", en: "Count" };
  return {
    id: "1.1",
    folder: "1.1-count",
    title,
    kind: "predict",
    status,
    points: { earned: 0, possible: 40 },
    criteria: [],
    runs: [],
    generated: null,
    quiz: quiz && {
      conversation: 1,
      nextConversation: null,
      transcript: title,
      questions: [],
      missing: [],
      off: [],
      ...quiz,
    },
    problem: null,
  };
}

test("the file lies beside the exercises", () => {
  expect(progressFile(join("course", "exercises"))).toBe(join("course", ".bucle", "progress.json"));
});

test("there is nothing where there is no file, and reading makes none", () => {
  expect(readProgress(fileIn("nobody"))).toEqual(NOTHING);
  expect(existsSync(dirname(fileIn("nobody")))).toBe(false);
});

test("what is written is read again, over an older one too, and nothing else is left in the folder", () => {
  const file = fileIn("written");
  writeProgress(file, NOTHING);
  const progress: Progress = { version: 1, exercises: { "1.1": { status: "passed", files: "ab", used: 2, hints: 1 } } };
  writeProgress(file, progress);
  expect(readProgress(file)).toEqual(progress);
  expect(readdirSync(dirname(file))).toEqual(["progress.json"]);
});

test.each([
  ["cut short", `{ "version": 1, "exercises": {`],
  ["empty", ""],
  ["of a later version", `{ "version": 2, "exercises": {} }`],
  ["of another kind", "null"],
  ["without its exercises", `{ "version": 1 }`],
])("a file that is %s is named, with what to do, and left as it is", (name, text) => {
  const file = fileIn(name.replaceAll(" ", "-"));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const reading = () => readProgress(file);
  expect(reading).toThrow(UnreadableProgress);
  expect(reading).toThrow(`${file} cannot be read; rename it`);
  expect(read(file)).toBe(text);
});

test("a file that the system does not give is no missing one, and is named too", () => {
  const file = fileIn("a-folder");
  mkdirSync(file, { recursive: true });
  expect(() => readProgress(file)).toThrow(new UnreadableProgress(file));
});

test("a grade is kept with the files it was given for", () => {
  const folder = work("kept");
  const passed = afterGrade(NOTHING, graded("passed"), folder);
  expect(passed.exercises["1.1"]).toEqual({ status: "passed", files: filesHash(folder) });
  expect(hasPassed(passed, "1.1", folder)).toBe(true);
  expect(hasPassed(passed, "1.2", folder)).toBe(false);
  const failed = afterGrade(passed, graded("failed"), folder);
  expect(failed.exercises["1.1"]?.status).toBe("failed");
  expect(hasPassed(failed, "1.1", folder)).toBe(false);
  expect(NOTHING.exercises).toEqual({});
});

test("an error of ours and an untouched exercise change nothing", () => {
  const folder = work("unchanged");
  const before = afterGrade(NOTHING, graded("passed"), folder);
  expect(afterGrade(before, graded("error"), folder)).toBe(before);
  expect(afterGrade(before, graded("untouched"), folder)).toBe(before);
});

test("an edit after passing makes the pass old, and taking it back makes it good again", () => {
  const folder = work("edited", { "agent.ts": "1\n", "answers.json": "{}\n" });
  const passed = afterGrade(NOTHING, graded("passed"), folder);
  for (const [name, text] of [
    ["agent.ts", "1\n"],
    ["answers.json", "{}\n"],
  ] as const) {
    writeFileSync(join(folder, name), `${text}// edited`);
    expect(hasPassed(passed, "1.1", folder)).toBe(false);
    writeFileSync(join(folder, name), text);
    expect(hasPassed(passed, "1.1", folder)).toBe(true);
  }
  rmSync(join(folder, "agent.ts"));
  expect(hasPassed(passed, "1.1", folder)).toBe(false);
});

test("files that nobody edits make no pass old; the name of the loop's file does", () => {
  const folder = work("renamed", { "agent.ts": "1\n" });
  const passed = afterGrade(NOTHING, graded("passed"), folder);
  writeFileSync(join(folder, "README.en.md"), "read me");
  expect(hasPassed(passed, "1.1", folder)).toBe(true);
  rmSync(join(folder, "agent.ts"));
  writeFileSync(join(folder, "agent.js"), "1\n");
  expect(hasPassed(passed, "1.1", folder)).toBe(false);
});

test("nothing to edit has no hash, and an unreadable file has one", () => {
  expect(filesHash(join(temp, "nowhere"))).toBe("");
  expect(filesHash(work("empty", { "README.es.md": "hola" }))).toBe("");
  mkdirSync(join(temp, "odd", "agent.ts"), { recursive: true });
  expect(filesHash(join(temp, "odd"))).toMatch(/^[0-9a-f]{16}$/);
});

test("a wrong try uses its conversation up, and the first try is remembered as it was", () => {
  const folder = work("tries");
  const first = afterGrade(NOTHING, graded("failed", { conversation: 1, nextConversation: 2 }), folder);
  expect(first.exercises["1.1"]).toMatchObject({ used: 1, firstTry: "wrong", off: [] });
  const second = afterGrade(first, graded("failed", { conversation: 2, nextConversation: 3 }), folder);
  expect(second.exercises["1.1"]).toMatchObject({ used: 2, firstTry: "wrong" });
  const third = afterGrade(second, graded("passed", { conversation: 3 }), folder);
  expect(third.exercises["1.1"]).toMatchObject({ status: "passed", used: 2, firstTry: "wrong" });
});

test("a right first try is remembered, and uses nothing up", () => {
  const folder = work("right");
  const passed = afterGrade(NOTHING, graded("passed", {}), folder);
  expect(passed.exercises["1.1"]).toEqual({ status: "passed", files: filesHash(folder), firstTry: "right" });
  const later = afterGrade(passed, graded("failed", { conversation: 1, nextConversation: 2 }), folder);
  expect(later.exercises["1.1"]).toMatchObject({ used: 1, firstTry: "right" });
});

test("an incomplete try is no try", () => {
  const folder = work("incomplete");
  const progress = afterGrade(NOTHING, graded("failed", { missing: ["callModel"] }), folder);
  expect(progress.exercises["1.1"]).toEqual({ status: "failed", files: filesHash(folder) });
});

test("a conversation that was used up before is no try either", () => {
  const folder = work("again");
  const used = { version: 1, exercises: { "1.1": { used: 3 } } } as const;
  const progress = afterGrade(used, graded("failed", { conversation: 2, nextConversation: 4 }), folder);
  expect(progress.exercises["1.1"]).toEqual({ status: "failed", files: filesHash(folder), used: 3 });
});

test("hints are counted beside what is known, and outlast a grade", () => {
  const folder = work("hints");
  const before = afterGrade(NOTHING, graded("failed", { conversation: 1, nextConversation: 2 }), folder);
  const hinted = afterHint(before, "1.1", 2);
  expect(hinted.exercises["1.1"]).toEqual({ ...before.exercises["1.1"], hints: 2 });
  expect(afterHint(hinted, "1.2", 1).exercises["1.2"]).toEqual({ hints: 1 });
  expect(afterGrade(hinted, graded("passed", { conversation: 2 }), folder).exercises["1.1"]?.hints).toBe(2);
});
