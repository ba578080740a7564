import type {
  CriterionGrade,
  ExerciseGrade,
  FindingGrade,
  Grade,
  Points,
  Problem,
  RunGrade,
} from "../../grading/grade.ts";
import type { Spot } from "../../trace/events.ts";
import type { Counts, Outcome, Printed } from "../../trace/run.ts";
import type { Lang } from "../../trace/text.ts";
import { cleanDeep } from "../clean.ts";

/** What `--json` prints. `check.schema.json` describes each field; the shape only ever grows within a version. */
export interface CheckDocument {
  version: 1;
  kit: string;
  pack: string;
  lang: Lang;
  seed: string;
  assignment: string | null;
  layers: string[];
  exercises: ExerciseDocument[];
  totals: TotalsDocument;
}

export interface ExerciseDocument {
  id: string;
  folder: string;
  title: string;
  kind: ExerciseGrade["kind"];
  status: ExerciseGrade["status"];
  points: Points;
  criteria: CriterionDocument[];
  runs: RunDocument[];
  generated: GeneratedDocument | null;
  quiz: QuizDocument | null;
  problem: ProblemDocument | null;
}

export interface CriterionDocument {
  id: string;
  title: string;
  status: CriterionGrade["status"];
  points: Points;
  message: string | null;
}

export interface RunDocument {
  scenario: string;
  title: string;
  outcome: Outcome;
  kind: string | null;
  counts: Counts;
  expected: RunGrade["expected"];
  diagnoses: DiagnosisDocument[];
  error: ({ name: string; message: string } & SpotDocument) | null;
  printed: Printed;
  ms: number;
}

export interface DiagnosisDocument extends SpotDocument {
  id: string;
  weight: FindingGrade["weight"];
  message: string;
  detail: string;
  next: string;
  turn: number;
}

export interface GeneratedDocument {
  played: number;
  failed: { when: string; scenario: unknown } | null;
}

export interface QuizDocument {
  conversation: number;
  nextConversation: number | null;
  missing: string[];
  off: string[];
}

export interface ProblemDocument extends SpotDocument {
  whose: Problem["whose"];
  message: string;
  detail: string;
  next: string;
}

export interface SpotDocument {
  file: string | null;
  line: number | null;
  column: number | null;
}

export interface TotalsDocument {
  passed: number;
  failed: number;
  error: number;
  untouched: number;
  points: Points;
}

/**
 * A grade as the one document that `--json` prints, in one language. No string of it holds a control character other
 * than `\n` and `\t`.
 */
export function toJson(grade: Grade, { lang, assignment }: { lang: Lang; assignment: string | null }): CheckDocument {
  return cleanDeep<CheckDocument>({
    version: 1,
    kit: grade.kit,
    pack: grade.pack,
    lang,
    seed: grade.seed,
    assignment,
    layers: grade.layers,
    exercises: grade.exercises.map((exercise) => exerciseDocument(exercise, lang)),
    totals: totalsOf(grade.exercises),
  });
}

/** How many exercises ended how, and the sum of their points. */
export function totalsOf(exercises: readonly ExerciseGrade[]): TotalsDocument {
  const withStatus = (status: ExerciseGrade["status"]) => exercises.filter((one) => one.status === status).length;
  return {
    passed: withStatus("passed"),
    failed: withStatus("failed"),
    error: withStatus("error"),
    untouched: withStatus("untouched"),
    points: {
      earned: exercises.reduce((sum, one) => sum + one.points.earned, 0),
      possible: exercises.reduce((sum, one) => sum + one.points.possible, 0),
    },
  };
}

function exerciseDocument(exercise: ExerciseGrade, lang: Lang): ExerciseDocument {
  const { generated, quiz, problem } = exercise;
  return {
    id: exercise.id,
    folder: exercise.folder,
    title: exercise.title[lang],
    kind: exercise.kind,
    status: exercise.status,
    points: pointsDocument(exercise.points),
    criteria: exercise.criteria.map((criterion) => ({
      id: criterion.id,
      title: criterion.title[lang],
      status: criterion.status,
      points: pointsDocument(criterion.points),
      message: criterion.message?.[lang] ?? null,
    })),
    runs: exercise.runs.map((run) => runDocument(run, lang)),
    generated: generated && {
      played: generated.played,
      failed: generated.failed && { when: generated.failed.when[lang], scenario: generated.failed.file },
    },
    quiz: quiz && {
      conversation: quiz.conversation,
      nextConversation: quiz.nextConversation,
      missing: quiz.missing,
      off: quiz.off.map((idea) => idea[lang]),
    },
    problem: problem && {
      whose: problem.whose,
      message: problem.headline[lang],
      detail: problem.detail[lang],
      next: problem.next[lang],
      ...spotDocument(problem.at),
    },
  };
}

/** A run as documents hold it, not cleaned yet. */
export function runDocument(run: RunGrade, lang: Lang): RunDocument {
  const { counts, expected, error, printed } = run;
  return {
    scenario: run.scenario,
    title: run.title[lang],
    outcome: run.outcome,
    kind: run.kind,
    counts: {
      callModel: counts.callModel,
      executeTool: counts.executeTool,
      httpRequests: counts.httpRequests,
      rejected: counts.rejected,
      faulted: counts.faulted,
      messages: counts.messages,
    },
    expected: expected && { callModel: expected.callModel, executeTool: expected.executeTool },
    diagnoses: run.findings.map((finding) => ({
      id: finding.id,
      weight: finding.weight,
      message: finding.headline[lang],
      detail: finding.detail[lang],
      next: finding.next[lang],
      ...spotDocument(finding.at),
      turn: finding.turn,
    })),
    error: error && { name: error.name, message: error.message, ...spotDocument(error.at) },
    printed: { head: printed.head, tail: printed.tail, omittedLines: printed.omittedLines },
    ms: run.ms,
  };
}

function pointsDocument({ earned, possible }: Points): Points {
  return { earned, possible };
}

function spotDocument(at: Spot | null): SpotDocument {
  return { file: at?.file ?? null, line: at?.line ?? null, column: at?.column ?? null };
}
