/** A student's answers to a quiz: read, and judged once a conversation. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Lang, Text } from "../trace/text.ts";
import { type Course, type CourseExercise, contentHash } from "./course.ts";
import type { Problem, QuizGrade } from "./grade.ts";
import { misfitProblem, notJsonProblem, usedUp } from "./problems.ts";
import { judge, readAnswers, runFamily, showQuiz } from "./quiz.ts";
import type { QuizResult } from "./spec.ts";

/** What grading a quiz needs beside the answers. */
interface Tools {
  course: Course;
  lang: Lang;
  sandbox: Sandbox;
  url: string;
}

/** A quiz as it stands. */
export interface QuizOutcome {
  result: QuizResult;
  grade: QuizGrade | null;
  problem: Problem | null;
  touched: boolean;
  /** Said where the answers are for a conversation that a wrong try has used up. */
  usedUp?: Text;
}

/** What a student's earlier tries at a quiz have left behind. */
export interface Earlier {
  used: number;
  off: readonly Text[];
}

/**
 * Grades the quiz of an exercise.
 * @param folder the submission's folder of this exercise, which holds `answers.json`
 * @returns what is right, what to show, and what is wrong with the file where it cannot be read
 */
export async function gradeQuiz(
  tools: Tools,
  exercise: CourseExercise,
  folder: string,
  { used, off }: Earlier,
): Promise<QuizOutcome> {
  const quiz = exercise.quiz as NonNullable<CourseExercise["quiz"]>;
  const keys = quiz.questions.map(({ key }) => key);
  const read = readAnswersFile(folder);
  const touched =
    read.text !== null && tools.course.starters.get(`${exercise.folder}/answers.json`) !== contentHash(read.text);
  const nothing: QuizResult = { missing: keys, right: [], wrong: [] };
  if (read.problem) return { result: nothing, grade: null, problem: read.problem, touched };
  const checked = readAnswers(read.json, quiz);
  if (!checked.ok) {
    return { result: nothing, grade: null, problem: misfitProblem(checked.misfits), touched };
  }
  const { answers } = checked;
  if (answers.conversation <= used) {
    // That conversation's secret is out: its answers are not judged again.
    const result: QuizResult = { missing: [], right: [], wrong: keys };
    return {
      result,
      grade: { ...showQuiz(exercise, answers, nothing, used + 1), missing: [], off: [...off] },
      problem: null,
      touched,
      usedUp: usedUp(answers.conversation, used + 1),
    };
  }
  const complete = keys.every((key) => answers.values[key] !== null);
  const runs = complete
    ? await runFamily(tools.course, exercise, answers.conversation, tools.lang, tools.sandbox, tools.url)
    : [];
  const result = judge(answers, quiz, runs);
  const next = result.wrong.length > 0 ? answers.conversation + 1 : null;
  return { result, grade: showQuiz(exercise, answers, result, next), problem: null, touched };
}

function readAnswersFile(folder: string): { text: string | null; json: unknown; problem: Problem | null } {
  const file = join(folder, "answers.json");
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return { text: null, json: {}, problem: null };
  if (!stat.isFile() || stat.size > 64 * 1024) {
    return {
      text: "",
      json: null,
      problem: misfitProblem([
        {
          key: "",
          why: { es: "no es un archivo normal de menos de 64 KB", en: "it is not a regular file under 64 KB" },
        },
      ]),
    };
  }
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    return { text, json: JSON.parse(text), problem: null };
  } catch (error) {
    return { text, json: null, problem: notJsonProblem(text, (error as Error).message) };
  }
}
