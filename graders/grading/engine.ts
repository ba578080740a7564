/** Submission x spec -> grade: what is read, run, diagnosed and judged, in that order. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { diagnose, stopWhen } from "../diagnoses/catalog/catalog.ts";
import { openScenario } from "../model/scenario.ts";
import { compile } from "../sandbox/compile/compile.ts";
import { codeFrame } from "../sandbox/compile/frame.ts";
import type { Program, Refusal } from "../sandbox/compile/program.ts";
import { findEntry } from "../sandbox/entry.ts";
import { type Submission, takeIn } from "../sandbox/intake.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { LAYERS, runtimeUrl } from "../sandbox/spawn.ts";
import type { Run, Source } from "../trace/run.ts";
import type { Lang, Text } from "../trace/text.ts";
import { type Course, type CourseExercise, compareIds, contentHash, editableFiles } from "./course.ts";
import type { CriterionGrade, ExerciseGrade, Grade, Problem, QuizGrade, RunGrade } from "./grade.ts";
import { judge, readAnswers, runFamily, showQuiz } from "./quiz.ts";
import type { JudgedRun, QuizResult, Work } from "./spec.ts";

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
  return {
    gradeExercise: async (exercise, folder, used = 0, off = []) => {
      try {
        return await gradeExercise(tools, exercise, folder, { used, off });
      } catch (error) {
        return failedGrade(exercise, ourError(error));
      }
    },
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
): Promise<ExerciseGrade> {
  const hasCode = (exercise.scenarios ?? []).length > 0;
  let problem: Problem | null = null;
  let runs: JudgedRun[] = [];
  let touched = false;

  if (!existsAsFile(folder)) return notHandedIn(exercise);
  if (hasCode) {
    const taken = await takeIn(folder);
    if (taken.ok) {
      touched ||= isTouched(tools.course, exercise, taken.value);
      const compiled = await compileSubmission(taken.value, tools.url);
      if (compiled.ok) runs = await runScenarios(tools, exercise, compiled.program, compiled.entry);
      else problem = compiled.problem;
    } else {
      problem = refusalProblem(taken.refusal, { files: [] });
      touched = true;
    }
  }

  let quiz: QuizOutcome | null = null;
  if (exercise.quiz) {
    quiz = await gradeQuiz(tools, exercise, folder, earlier);
    problem ??= quiz.problem;
    touched ||= quiz.touched;
  }

  const work: Work = { runs, quiz: quiz?.result ?? null };
  const couldNotJudge = { code: hasCode && runs.length === 0, quiz: quiz?.problem != null };
  const criteria = exercise.criteria.map((criterion): CriterionGrade => {
    const possible = criterion.points;
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
    if (reason !== null) return failed("failed", reason);
    return { ...failed("passed", null), points: { earned: possible, possible } };
  });
  const passed = criteria.every(({ status }) => status === "passed");
  return {
    id: exercise.id,
    folder: exercise.folder,
    title: exercise.title,
    kind: exercise.kind,
    status: problem?.whose === "kit" ? "error" : passed ? "passed" : touched ? "failed" : "untouched",
    points: sum(criteria),
    criteria,
    runs: runs.map(runGrade),
    quiz: quiz?.grade ?? null,
    problem,
  };
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

async function runScenarios(
  tools: Tools,
  exercise: CourseExercise,
  program: Program,
  entry: string,
): Promise<JudgedRun[]> {
  const runs: JudgedRun[] = [];
  const limits = { cap: exercise.cap ?? null };
  let outOfTime = false;
  for (const name of exercise.scenarios ?? []) {
    const file = await tools.course.scenario(name);
    const scenario = openScenario(file, { name, seed: `${tools.seed}/${exercise.id}/${name}`, lang: tools.lang });
    const run = await tools.sandbox.run({
      program,
      entry,
      scenario,
      stopWhen: (trace) => stopWhen(trace, scenario, limits),
      keepAllOutput: tools.keepAllOutput ?? false,
      // What held up one run until the clock ended it will hold up the next: there is no point in waiting as long again.
      shortWall: outOfTime,
    });
    outOfTime ||= run.kind === "out-of-time";
    // Advice points ahead, to an exercise that is still to come.
    const findings = diagnose(run).filter(
      ({ weight, exercise: teaches }) => weight === "fault" || compareIds(teaches, exercise.id) > 0,
    );
    runs.push({ ...run, findings });
  }
  return runs;
}

function runGrade(run: JudgedRun): RunGrade {
  const { expected } = run.scenario;
  return {
    scenario: run.scenario.name,
    title: run.scenario.title,
    outcome: run.outcome,
    kind: run.kind,
    counts: run.counts,
    expected: expected && { callModel: expected.callModel, executeTool: expected.executeTool },
    findings: run.findings.map((finding) => ({ ...finding, frame: frameOf(run, finding.at) })),
    error: run.error && { ...run.error, at: run.at },
    printed: run.printed,
    ms: run.ms,
  };
}

function frameOf(run: Run, at: Run["at"]) {
  return at ? codeFrame(run.source, at) : null;
}

interface QuizOutcome {
  result: QuizResult;
  grade: QuizGrade | null;
  problem: Problem | null;
  touched: boolean;
  /** Said where the answers are for a conversation that a wrong try has used up. */
  usedUp?: Text;
}

/** What a student's earlier tries at a quiz have left behind. */
interface Earlier {
  used: number;
  off: readonly Text[];
}

async function gradeQuiz(
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
    return { result: nothing, grade: null, problem: misfitProblem(checked.key, checked.why), touched };
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
      problem: misfitProblem("", {
        es: "no es un archivo normal de menos de 64 KB",
        en: "it is not a regular file under 64 KB",
      }),
    };
  }
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    return { text, json: JSON.parse(text), problem: null };
  } catch (error) {
    return { text, json: null, problem: notJsonProblem(text, (error as Error).message) };
  }
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

function failedGrade(exercise: CourseExercise, problem: Problem): ExerciseGrade {
  const criteria = exercise.criteria.map(
    ({ id, title, points }): CriterionGrade => ({
      id,
      title,
      status: "error",
      points: { earned: 0, possible: points },
      message: null,
    }),
  );
  const { id, folder, title, kind } = exercise;
  return { id, folder, title, kind, status: "error", points: sum(criteria), criteria, runs: [], quiz: null, problem };
}

/** The folder is not there: nothing was handed in, which is not the same as a starter left as it was. */
function notHandedIn(exercise: CourseExercise): ExerciseGrade {
  const { id, folder, title, kind } = exercise;
  const criteria = exercise.criteria.map(
    ({ id, title, points }): CriterionGrade => ({
      id,
      title,
      status: "skipped",
      points: { earned: 0, possible: points },
      message: NOT_STARTED,
    }),
  );
  const problem: Problem = {
    whose: "student",
    headline: { es: "No hay nada entregado.", en: "Nothing has been handed in." },
    detail: { es: `No existe la carpeta \`${folder}\`.`, en: `There is no folder \`${folder}\`.` },
    next: {
      es: "Crea la carpeta con los archivos del ejercicio, o revisa qué carpeta le diste a `--dir`.",
      en: "Make the folder with the exercise's files, or look again at the folder you gave to `--dir`.",
    },
    at: null,
    frame: null,
  };
  return {
    id,
    folder,
    title,
    kind,
    status: "untouched",
    points: sum(criteria),
    criteria,
    runs: [],
    quiz: null,
    problem,
  };
}

function refusalProblem(refusal: Refusal, source: Source): Problem {
  return { whose: "student", ...refusal, frame: refusal.at ? codeFrame(source, refusal.at) : null };
}

function noEntry(file: string, exports: readonly string[]): Refusal {
  const list = exports.map((name) => `\`${name}\``).join(", ");
  return {
    headline: {
      es: `\`${file}\` no exporta la función \`runAgent\`.`,
      en: `\`${file}\` does not export a \`runAgent\` function.`,
    },
    detail: {
      es: list
        ? `Exporta ${list}: no se puede saber cuál es tu bucle.`
        : "No exporta nada, así que no hay qué ejecutar.",
      en: list
        ? `It exports ${list}: which one is your loop cannot be told.`
        : "It exports nothing, so there is nothing to run.",
    },
    next: {
      es: "Escribe `export` delante de `async function runAgent(…)`.",
      en: "Put `export` in front of `async function runAgent(…)`.",
    },
    at: null,
  };
}

function misfitProblem(key: string, why: Text): Problem {
  const field = key ? { es: `el campo \`${key}\` de `, en: `the field \`${key}\` of ` } : { es: "", en: "" };
  return {
    whose: "student",
    headline: { es: `No se puede leer ${field.es}\`answers.json\`.`, en: `Cannot read ${field.en}\`answers.json\`.` },
    detail: { es: `${key ? `\`${key}\`: ` : ""}${why.es}.`, en: `${key ? `\`${key}\`: ` : ""}${why.en}.` },
    next: {
      es: "Corrígelo y repite: aún no se ha juzgado ninguna respuesta.",
      en: "Mend it and try again: no answer has been judged yet.",
    },
    at: null,
    frame: null,
  };
}

function notJsonProblem(text: string, reason: string): Problem {
  // V8 says where it stopped, as an offset; without one it stopped at the end.
  const offset = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length);
  const before = text.slice(0, offset).split("\n");
  const at = { file: "answers.json", line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return {
    whose: "student",
    headline: { es: "`answers.json` no es JSON válido.", en: "`answers.json` is not valid JSON." },
    detail: {
      es: `La lectura se detuvo en la línea ${at.line}: ahí, o justo antes, algo sobra o falta.`,
      en: `Reading stopped on line ${at.line}: there, or just before it, something is missing or too much.`,
    },
    next: {
      es: "Busca una coma de más o de menos, o unas comillas sin cerrar.",
      en: "Look for a comma too many or too few, or a quote left open.",
    },
    at,
    frame: codeFrame({ files: [{ name: at.file, text }] }, at),
  };
}

function ourError(error: unknown): Problem {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    whose: "kit",
    headline: { es: "Falló Bucle, no tu código.", en: "Bucle failed, not your code." },
    detail: { es: reason, en: reason },
    next: {
      es: "Repite la orden; si vuelve a pasar, envía este texto a quien mantiene Bucle.",
      en: "Run the command again; if it happens again, send this text to the people who maintain Bucle.",
    },
    at: null,
    frame: null,
  };
}

/** The values that `#harness` exports: a wrong name in an import is told with the right one. */
const HARNESS = ["callModel", "executeTool", "toolkit", "client", "AgentStopped", "connectToolkit"];

function usedUp(conversation: number, next: number): Text {
  return {
    es: `La conversación ${conversation} ya se usó en un intento anterior; la que cuenta ahora es la ${next}.`,
    en: `Conversation ${conversation} was used up by an earlier try; the one that counts now is ${next}.`,
  };
}

const COULD_NOT_RUN: Text = {
  es: "No se pudo ejecutar; mira el motivo arriba.",
  en: "It could not be run; see the reason above.",
};
const NOT_STARTED: Text = { es: "Sin empezar.", en: "Not started." };
