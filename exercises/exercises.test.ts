/**
 * Each exercise's criteria as tests, for an editor's test panel: `npx vitest --project exercises`.
 * The same engine and the same verdicts as `npx bucle check`; nothing to edit here.
 */
import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, inject, test } from "vitest";
import { detectLang } from "../graders/cli/lang.ts";
import { kitCourse } from "../graders/grading/course.ts";
import { createEngine } from "../graders/grading/engine.ts";
import type { ExerciseGrade } from "../graders/grading/grade.ts";
import { progressFile, readProgress } from "../graders/grading/progress.ts";

const here = import.meta.dirname;
const runtime = inject("runtime");
const lang = detectLang([], process.env);
const seed = randomBytes(4).toString("hex");
const course = kitCourse(dirname(here), basename(dirname(runtime)));
const engine = createEngine({ course, runtime, kit: "vitest", lang, seed });
afterAll(() => engine.close());

for (const exercise of course.exercises) {
  const folder = join(here, exercise.folder);
  let grading: Promise<ExerciseGrade> | null = null;
  const grade = () => {
    const used = readProgress(progressFile(here)).exercises[exercise.id]?.used;
    grading ??= engine.gradeExercise(exercise, folder, used);
    return grading;
  };
  describe(`${exercise.id} ${exercise.title[lang]}`, () => {
    for (const criterion of exercise.criteria) {
      test(criterion.title[lang], async () => {
        const result = await grade();
        const judged = result.criteria.find(({ id }) => id === criterion.id);
        if (judged?.status === "passed") return;
        throw failure(result, judged?.message?.[lang] ?? "", folder, criterion.on === "quiz");
      });
    }
  });
}

/** An error whose stack is the student's own line, so that the editor marks it there. */
function failure(result: ExerciseGrade, reason: string, folder: string, ofQuiz: boolean): Error {
  const runs = ofQuiz ? [] : result.runs;
  const finding = runs.flatMap(({ findings }) => findings).find(({ weight }) => weight === "fault");
  const says = [reason, result.problem?.headline[lang], finding?.headline[lang], finding?.detail[lang], finding?.next[lang]];
  const text = [...says.filter(Boolean), `npx bucle check ${result.id} --seed ${seed}`].join("\n\n");
  const error = new Error(text);
  const at = finding?.at ?? result.problem?.at;
  error.stack = at ? `Error: ${text}\n    at runAgent (${join(folder, at.file)}:${at.line}:${at.column})` : `Error: ${text}`;
  return error;
}
