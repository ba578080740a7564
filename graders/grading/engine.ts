/** Submission x spec -> grade: what is read, run, diagnosed and judged, in that order. */
import { lstatSync } from "node:fs";
import type { ScenarioFile } from "../model/scenario-file.ts";
import { compile } from "../sandbox/compile/compile.ts";
import type { Program } from "../sandbox/compile/program.ts";
import { findEntry } from "../sandbox/entry.ts";
import { type Submission, takeIn } from "../sandbox/intake.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { LAYERS, runtimeUrl } from "../sandbox/spawn.ts";
import type { Source } from "../trace/run.ts";
import type { Lang, Text } from "../trace/text.ts";
import { type Course, type CourseExercise, contentHash, editableFiles } from "./course.ts";
import type { CriterionGrade, ExerciseGrade, GeneratedGrade, Grade, Problem } from "./grade.ts";
import { type Earlier, gradeQuiz, type QuizOutcome } from "./grade-quiz.ts";
import { whyNeverCalled } from "./never-called.ts";
import {
  COULD_NOT_RUN,
  NOT_IN_THIS_ONE,
  NOT_STARTED,
  noEntry,
  notHandedIn,
  ourError,
  refusalProblem,
} from "./problems.ts";
import { runGrade } from "./run-grade.ts";
import { playAll, replay } from "./runs.ts";
import type { JudgedRun, Work } from "./spec.ts";

export interface EngineOptions {
  course: Course;
  /** The bundled runtime of the sandbox. */
  runtime: string;
  /** Version of the kit, for the report. */
  kit: string;
  lang: Lang;
  /** Draws ids, nonces and operands. The same seed and submission give the same grade. */
  seed: string;
  /** Keep every line that is printed. */
  keepAllOutput?: boolean;
  /** Wall-clock limit of one run, ms. */
  wallMs?: number;
}

export interface Engine {
  /**
   * Grades one exercise of a submission.
   * @param folder the submission's folder of this exercise
   * @param used the last conversation of its quiz that a wrong try has used up; 0 when none
   * @param off the ideas that were off in that try, to be shown again
   */
  gradeExercise(exercise: CourseExercise, folder: string, used?: number, off?: readonly Text[]): Promise<ExerciseGrade>;
  /**
   * Judges the code of an exercise on this one conversation and no other: a generated one, from its file. There are no points to
   * it, nor questions.
   */
  replayExercise(exercise: CourseExercise, folder: string, scenario: ScenarioFile): Promise<ExerciseGrade>;
  /** Puts exercises' grades together. */
  report(exercises: ExerciseGrade[]): Grade;
  /** Ends every process that was started; resolves when they are gone. */
  close(): Promise<void>;
}

export function createEngine(options: EngineOptions): Engine {
  const { course, runtime, seed } = options;
  const sandbox = createSandbox({ runtime, ...(options.wallMs ? { wallMs: options.wallMs } : {}) });
  const url = runtimeUrl(runtime);
  const tools: Tools = { ...options, sandbox, url };
  const grade = async (exercise: CourseExercise, folder: string, earlier: Earlier, only: ScenarioFile | null) => {
    try {
      return await gradeExercise(tools, exercise, folder, earlier, only);
    } catch (error) {
      return ungraded(exercise, "error", ourError(error));
    }
  };
  return {
    gradeExercise: (exercise, folder, used = 0, off = []) => grade(exercise, folder, { used, off }, null),
    replayExercise: (exercise, folder, scenario) => grade(exercise, folder, { used: 0, off: [] }, scenario),
    report: (exercises) => ({ kit: options.kit, pack: course.pack, seed, layers: [...LAYERS], exercises }),
    close: () => sandbox.close(),
  };
}

interface Tools extends EngineOptions {
  sandbox: Sandbox;
  url: string;
}

async function gradeExercise(
  tools: Tools,
  exercise: CourseExercise,
  folder: string,
  earlier: Earlier,
  only: ScenarioFile | null,
): Promise<ExerciseGrade> {
  const hasCode = (exercise.scenarios ?? []).length > 0;
  let problem: Problem | null = null;
  let runs: JudgedRun[] = [];
  let generated: GeneratedGrade | null = null;
  let touched = false;

  if (!existsAsFile(folder)) return ungraded(exercise, "untouched", notHandedIn(exercise));
  if (hasCode) {
    const taken = await takeIn(folder);
    if (taken.ok) {
      touched ||= isTouched(tools.course, exercise, taken.value);
      const compiled = await compileSubmission(taken.value, tools.url);
      if (compiled.ok) {
        const player = { ...tools, exercise, program: compiled.program, entry: compiled.entry };
        ({ runs, generated } = await (only === null ? playAll(player) : replay(player, only)));
        problem = await whyNeverCalled(tools.sandbox, { ...compiled, file: taken.value.entry, runs });
        if (problem !== null) runs = [];
      } else problem = compiled.problem;
    } else {
      problem = refusalProblem(taken.refusal, { files: [] });
      touched = true;
    }
  }
  touched ||= only !== null;

  let quiz: QuizOutcome | null = null;
  if (exercise.quiz && only === null) {
    quiz = await gradeQuiz(tools, exercise, folder, earlier);
    problem ??= quiz.problem;
    touched ||= quiz.touched;
  }

  const work: Work = { runs, quiz: quiz?.result ?? null };
  const couldNotJudge = { code: hasCode && runs.length === 0, quiz: quiz?.problem != null };
  const asked = only === null ? exercise.criteria : exercise.criteria.filter(({ on }) => on !== "quiz");
  const criteria = asked.map((criterion): CriterionGrade => {
    const possible = only === null ? criterion.points : 0;
    const failed = (status: CriterionGrade["status"], message: Text | null): CriterionGrade => ({
      id: criterion.id,
      title: criterion.title,
      status,
      points: { earned: 0, possible },
      message,
    });
    if (couldNotJudge[criterion.on ?? "code"]) return failed("skipped", touched ? COULD_NOT_RUN : NOT_STARTED);
    if (criterion.on === "quiz" && quiz?.usedUp) return failed("failed", quiz.usedUp);
    const reason = criterion.check(work);
    if (!touched) return failed(reason === null ? "skipped" : "failed", reason ?? NOT_STARTED);
    if (only !== null && isTold(reason, criterion.check(NOTHING))) return failed("skipped", NOT_IN_THIS_ONE);
    if (reason !== null) return failed("failed", reason);
    return { ...failed("passed", null), points: { earned: possible, possible } };
  });
  const met = (status: CriterionGrade["status"]) => status === "passed" || (only !== null && status === "skipped");
  const passed = criteria.every(({ status }) => met(status)) && criteria.some(({ status }) => status === "passed");
  return {
    id: exercise.id,
    folder: exercise.folder,
    title: exercise.title,
    kind: exercise.kind,
    status: problem?.whose === "kit" ? "error" : passed ? "passed" : touched ? "failed" : "untouched",
    points: sum(criteria),
    criteria,
    runs: runs.map((run) => ({ ...runGrade(run), ...(failsAlone(run, exercise) ? { failsCriterion: true } : {}) })),
    generated,
    quiz: quiz?.grade ?? null,
    problem,
  };
}

const NOTHING: Work = { runs: [], quiz: null };

/** Whether some criterion fails by a conversation alone. One that has nothing to judge in it says nothing of it. */
function failsAlone(run: JudgedRun, { criteria }: CourseExercise): boolean {
  return criteria.some((criterion) => {
    if (criterion.on === "quiz") return false;
    const reason = criterion.check({ runs: [run], quiz: null });
    return reason !== null && !isTold(reason, criterion.check(NOTHING));
  });
}

/** Whether what a criterion says is what it says of no conversation at all: then there was nothing to judge it on. */
function isTold(reason: Text | null, ofNothing: Text | null): boolean {
  return reason !== null && reason.en === ofNothing?.en && reason.es === ofNothing.es;
}

type Compiled = { ok: true; program: Program; entry: string } | { ok: false; problem: Problem };

async function compileSubmission(submission: Submission, url: string): Promise<Compiled> {
  const source: Source = { files: submission.files };
  const compiled = await compile(submission, { runtimeUrl: url, harness: HARNESS });
  if (!compiled.ok) return { ok: false, problem: refusalProblem(compiled.refusal, source) };
  const text = submission.files.find(({ name }) => name === submission.entry)?.text ?? "";
  const entry = findEntry(compiled.value.exports, text);
  if (entry !== null) return { ok: true, program: compiled.value, entry };
  return { ok: false, problem: refusalProblem(noEntry(submission.entry, compiled.value.exports), source) };
}

function isTouched(course: Course, { folder }: CourseExercise, submission: Submission): boolean {
  return submission.files.some(({ name, text }) => {
    if (editableFiles([name]).length === 0) return true;
    return course.starters.get(`${folder}/${name}`) !== contentHash(text);
  });
}

function existsAsFile(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
}

function sum(criteria: readonly CriterionGrade[]) {
  return {
    earned: criteria.reduce((total, { points }) => total + points.earned, 0),
    possible: criteria.reduce((total, { points }) => total + points.possible, 0),
  };
}

/** The grade of an exercise that could not be looked at: not handed in, or an error of ours. */
function ungraded(exercise: CourseExercise, status: "untouched" | "error", problem: Problem): ExerciseGrade {
  const criteria = exercise.criteria.map(
    ({ id, title, points }): CriterionGrade => ({
      id,
      title,
      status: status === "error" ? "error" : "skipped",
      points: { earned: 0, possible: points },
      message: status === "error" ? null : NOT_STARTED,
    }),
  );
  const { id, folder, title, kind } = exercise;
  return {
    id,
    folder,
    title,
    kind,
    status,
    points: sum(criteria),
    criteria,
    runs: [],
    generated: null,
    quiz: null,
    problem,
  };
}

/** The values that `#harness` exports: a wrong name in an import is told with the right one. */
const HARNESS = ["callModel", "executeTool", "toolkit", "client", "AgentStopped", "connectToolkit"];
