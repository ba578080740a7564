/** Quizzes: answers are sealed until all are given, and the right ones are read off a run of the program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openScenario } from "../model/scenario.ts";
import type { ScenarioFile } from "../model/scenario-file.ts";
import { createRandom } from "../model/seed.ts";
import { compile } from "../sandbox/compile/compile.ts";
import { findEntry } from "../sandbox/entry.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Run } from "../trace/run.ts";
import { LANGS, type Lang, type Text } from "../trace/text.ts";
import type { Course, CourseExercise } from "./course.ts";
import type { QuizGrade } from "./grade.ts";
import type { Question, Quiz, QuizResult } from "./spec.ts";
import { transcript } from "./transcript.ts";

/** What `answers.json` holds, as far as it can be trusted. */
export interface Answers {
  conversation: number;
  /** null: not answered yet. */
  values: Readonly<Record<string, number | readonly string[] | null>>;
}

/** A field that is not what it must be. `key` is empty for the file itself. `why`: to be put after its name. */
export interface Misfit {
  key: string;
  why: Text;
}

export type ReadAnswers = { ok: true; answers: Answers } | { ok: false; misfits: readonly Misfit[] };

/** The largest conversation number: families are drawn from it, and a number is all a student may choose. */
const MOST_CONVERSATIONS = 9999;

/** Checks what a student's file says against the questions; unknown keys are ignored (an editor may add some). */
export function readAnswers(json: unknown, quiz: Quiz): ReadAnswers {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    const why = { es: "no es un objeto JSON (`{ … }`)", en: "it is not a JSON object (`{ … }`)" };
    return { ok: false, misfits: [{ key: "", why }] };
  }
  const fields = json as Record<string, unknown>;
  const conversation = Number(fields.conversation ?? 1);
  const misfits: Misfit[] = [];
  if (!isConversation(fields.conversation ?? 1)) {
    misfits.push({
      key: "conversation",
      why: {
        es: `debe ser un número entero de 1 a ${MOST_CONVERSATIONS}`,
        en: `it must be a whole number from 1 to ${MOST_CONVERSATIONS}`,
      },
    });
  }
  const values: Record<string, number | readonly string[] | null> = {};
  for (const question of quiz.questions) {
    const given = Object.hasOwn(fields, question.key) ? fields[question.key] : null;
    const why = misfit(question, given);
    if (why !== null) misfits.push({ key: question.key, why });
    // An empty list answers nothing: it must not use up a conversation.
    const empty = given === undefined || (Array.isArray(given) && given.length === 0);
    values[question.key] = empty ? null : (given as number | readonly string[] | null);
  }
  return misfits.length > 0 ? { ok: false, misfits } : { ok: true, answers: { conversation, values } };
}

function isConversation(given: unknown): boolean {
  return typeof given === "number" && Number.isInteger(given) && given >= 1 && given <= MOST_CONVERSATIONS;
}

function misfit(question: Question, given: unknown): Text | null {
  if (given === null || given === undefined) return null;
  if (question.kind === "number") {
    if (typeof given === "number" && Number.isInteger(given) && given >= 0) return null;
    return {
      es: "debe ser un número entero desde 0, sin comillas",
      en: "it must be a whole number from 0 on, without quotes",
    };
  }
  const ids = question.options.map(({ id }) => id);
  if (
    Array.isArray(given) &&
    given.every((each) => ids.includes(each as string)) &&
    new Set(given).size === given.length
  ) {
    return null;
  }
  const list = ids.map((id) => `"${id}"`).join(", ");
  return {
    es: `debe ser una lista con una o varias de estas, sin repetir: ${list}`,
    en: `it must be a list with one or more of these, each once: ${list}`,
  };
}

/** Runs the quiz's program against every scenario of a conversation. */
export async function runFamily(
  course: Course,
  exercise: CourseExercise,
  conversation: number,
  lang: Lang,
  sandbox: Sandbox,
  runtimeUrl: string,
): Promise<Run[]> {
  const quiz = quizOf(exercise);
  const text = readFileSync(join(course.root, "fixtures", "programs", quiz.program), "utf8");
  const compiled = await compile(
    { entry: quiz.program, files: [{ name: quiz.program, text }], refused: [] },
    { runtimeUrl },
  );
  if (!compiled.ok) throw new Error(`fixtures/programs/${quiz.program}: ${compiled.refusal.headline.en}`);
  const runs: Run[] = [];
  for (const scenario of openFamily(exercise, conversation, lang)) {
    runs.push(
      await sandbox.run({
        program: compiled.value,
        entry: findEntry(compiled.value.exports) ?? "default",
        scenario,
        stopWhen: () => null,
      }),
    );
  }
  return runs;
}

/** The scenarios of one member of an exercise's family, which `verify` has found sound. The seed is the conversation's own: everybody reads the same one. */
export function openFamily(exercise: CourseExercise, conversation: number, lang: Lang) {
  return quizOf(exercise)
    .family(conversation)
    .map((json, index) => {
      const name = `${exercise.folder}, conversation ${conversation}.${index + 1}`;
      return openScenario(json as ScenarioFile, { name, seed: `${exercise.id}/${conversation}/${index}`, lang });
    });
}

/** Judges answers against what the runs showed. */
export function judge(answers: Answers, quiz: Quiz, runs: readonly Run[]): QuizResult {
  const missing = quiz.questions.filter(({ key }) => answers.values[key] === null).map(({ key }) => key);
  if (missing.length > 0) return { missing, right: [], wrong: [] };
  const isRight = (question: Question): boolean => {
    const given = answers.values[question.key];
    if (question.kind === "number") return given === question.answer(runs);
    const holding = question.options.filter((option) => option.holds(runs)).map(({ id }) => id);
    return Array.isArray(given) && given.length === holding.length && holding.every((id) => given.includes(id));
  };
  const right = quiz.questions.filter(isRight).map(({ key }) => key);
  return { missing, right, wrong: quiz.questions.map(({ key }) => key).filter((key) => !right.includes(key)) };
}

/** What is shown of a quiz. `next`: the member to go on with after a wrong try. */
export function showQuiz(
  exercise: CourseExercise,
  answers: Answers,
  result: QuizResult,
  next: number | null,
): QuizGrade {
  const quiz = quizOf(exercise);
  const shown = next ?? answers.conversation;
  const order = createRandom(`options/${exercise.id}/${shown}`);
  const text = (lang: Lang) =>
    openFamily(exercise, shown, lang)
      .map((scenario) => transcript(scenario, lang))
      .join("\n\n");
  return {
    conversation: answers.conversation,
    nextConversation: next,
    transcript: Object.fromEntries(LANGS.map((lang) => [lang, text(lang)])) as Record<Lang, string>,
    questions: quiz.questions.map((question) => ({
      key: question.key,
      ask: question.ask,
      options:
        question.kind === "options"
          ? shuffled(question.options, order.int).map(({ id, text }) => ({ id, text }))
          : null,
    })),
    missing: [...result.missing],
    off: quiz.questions.filter(({ key }) => result.wrong.includes(key)).map(({ idea }) => idea),
  };
}

function shuffled<T>(items: readonly T[], int: (from: number, to: number) => number): T[] {
  const list = [...items];
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = int(0, last);
    [list[last], list[other]] = [list[other] as T, list[last] as T];
  }
  return list;
}

function quizOf(exercise: CourseExercise): Quiz {
  if (!exercise.quiz) throw new Error(`Exercise ${exercise.id} has no quiz`);
  return exercise.quiz;
}
