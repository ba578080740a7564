/** Grades mutants like submissions: the real engine, the exercise's own scenarios and criteria. */
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Course, type CourseExercise, editableFiles } from "../grading/course.ts";
import type { Engine } from "../grading/engine.ts";
import type { ExerciseGrade } from "../grading/grade.ts";
import { withFiles } from "../grading/verify.ts";
import { type Mutant, mutantsOf } from "./mutate.ts";

/** `error` is ours. `advised`: it passes, and advice names it; what passes although a fault is named has survived. */
export type Verdict = "killed" | "survived" | "advised" | "uncompilable" | "error";

export interface Judged extends Mutant {
  exercise: CourseExercise;
  verdict: Verdict;
  /** Headlines of the runs, each once; advice where there is no fault. */
  names: string[];
  /** Ids of the criteria that failed. */
  failed: string[];
  /** What went wrong, where it is ours. */
  problem: string | null;
  ms: number;
}

export interface Job {
  exercise: CourseExercise;
  /** The solution's folder and the file in it that is mutated. */
  folder: string;
  file: string;
  mutant: Mutant;
}

/** @returns every mutant of the solutions with code, in the course's order */
export async function jobsOf(course: Course, isAsked: (exercise: CourseExercise) => boolean): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const exercise of course.exercises) {
    if ((exercise.scenarios ?? []).length === 0 || !isAsked(exercise)) continue;
    const folder = join(course.root, "solutions", exercise.folder);
    const file = editableFiles(readdirSync(folder)).find((name) => name.startsWith("agent."));
    if (file === undefined) continue;
    const mutants = await mutantsOf(file, readFileSync(join(folder, file), "utf8"));
    jobs.push(...mutants.map((mutant) => ({ exercise: codeOnly(exercise), folder, file, mutant })));
  }
  return jobs;
}

/** Mutants change no answer of a quiz: it would be passed each time, and cost a run each time. */
function codeOnly({ quiz: _, ...exercise }: CourseExercise): CourseExercise {
  return { ...exercise, criteria: exercise.criteria.filter(({ on }) => on !== "quiz") };
}

/**
 * @param openEngine a new engine; one per core is opened and closed
 * @param onJudged called after each
 * @returns one verdict a job, in their order
 */
export async function judge(jobs: readonly Job[], openEngine: () => Engine, onJudged: () => void): Promise<Judged[]> {
  const judged: Judged[] = [];
  let next = 0;
  const work = async () => {
    const engine = openEngine();
    try {
      for (let index = next++; index < jobs.length; index = next++) {
        judged[index] = await judgeOne(jobs[index]!, engine);
        onJudged();
      }
    } finally {
      await engine.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, work));
  return judged;
}

async function judgeOne({ exercise, folder, file, mutant }: Job, engine: Engine): Promise<Judged> {
  const started = performance.now();
  // A line more: a mutant may be what students start from, which earns nothing whatever it does.
  const files = { [file]: `${mutant.text}\n` };
  const grade = await withFiles(folder, files, (copy) => engine.gradeExercise(exercise, copy));
  const ms = Math.round(performance.now() - started);
  return { ...mutant, exercise, ms, ...verdictOf(grade) };
}

/** What a mutant's grade says about it. */
export function verdictOf(grade: ExerciseGrade): Pick<Judged, "verdict" | "names" | "failed" | "problem"> {
  const headlines = (weight: "fault" | "advice") => [
    ...new Set(
      grade.runs.flatMap(({ findings }) => {
        const first = findings.find((finding) => finding.weight === weight);
        return first ? [first.id] : [];
      }),
    ),
  ];
  const failed = grade.criteria.filter(({ status }) => status !== "passed").map(({ id }) => id);
  const problem = grade.problem ? `${grade.problem.headline.en} ${grade.problem.detail.en}` : null;
  const faults = headlines("fault");
  const told = { failed, problem, names: faults.length > 0 ? faults : headlines("advice") };
  if (grade.status === "error") return { ...told, verdict: "error" };
  if (grade.status === "passed") {
    return { ...told, verdict: faults.length === 0 && told.names.length > 0 ? "advised" : "survived" };
  }
  if (grade.problem) return { ...told, verdict: "uncompilable" };
  return { ...told, verdict: "killed" };
}
