/**
 * Grades every solution and near miss again and again, each time with a new seed, and with every core kept busy:
 * `npm run repeat -- 50`. The verdicts must be the same every time.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { type Course, kitCourse } from "../grading/course.ts";
import { createEngine, type Engine } from "../grading/engine.ts";
import type { ExerciseGrade } from "../grading/grade.ts";
import { nearMisses, withFiles } from "../grading/verify.ts";

/** @param args how many times; `--idle` leaves the other cores alone */
export async function main(kit: { root: string; runtime: string }, args: string[]): Promise<number> {
  const times = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 50);
  const course = kitCourse(kit.root, basename(dirname(kit.runtime)));
  const load = args.includes("--idle") ? [] : keepBusy();
  const first = new Map<string, string>();
  let differing = 0;
  let graded = 0;
  try {
    for (let round = 1; round <= times; round += 1) {
      const seed = randomBytes(4).toString("hex");
      const engine = createEngine({ course, runtime: kit.runtime, kit: "repeat", lang: round % 2 ? "es" : "en", seed });
      try {
        for await (const [name, verdict] of verdicts(course, engine)) {
          graded += 1;
          const before = first.get(name);
          first.set(name, before ?? verdict);
          if (before === undefined || before === verdict) continue;
          differing += 1;
          process.stdout.write(`round ${round} (seed ${seed}) ${name}\n  was ${before}\n  is  ${verdict}\n`);
        }
      } finally {
        await engine.close();
      }
      process.stdout.write(`round ${round} of ${times}: ${graded} verdicts so far, ${differing} differing\n`);
    }
  } finally {
    for (const child of load) child.kill("SIGKILL");
  }
  process.stdout.write(`${graded - differing} passed, ${differing} failed\n`);
  return differing === 0 ? 0 : 1;
}

async function* verdicts(course: Course, engine: Engine): AsyncGenerator<[string, string]> {
  for (const exercise of course.exercises) {
    const solution = join(course.root, "solutions", exercise.folder);
    yield [exercise.folder, verdictOf(await engine.gradeExercise(exercise, solution))];
    for (const { file, text } of nearMisses(course, exercise)) {
      const grade = await withFiles(solution, { "agent.ts": text }, (folder) => engine.gradeExercise(exercise, folder));
      yield [`${exercise.folder}/${basename(file)}`, verdictOf(grade)];
    }
  }
}

/** All of a grade that a student would notice: status, points, and each run's ending, counts, names, turns and lines. */
function verdictOf(grade: ExerciseGrade): string {
  const runs = grade.runs.map(({ scenario, outcome, kind, counts, findings }) => {
    const found = findings.map(({ id, turn, at }) => `${id}@${turn}:${at?.line}`);
    return [scenario, outcome, kind, counts.callModel, counts.executeTool, counts.rejected, ...found].join(" ");
  });
  return [grade.status, grade.points.earned, ...runs].join("; ");
}

function keepBusy(): ChildProcess[] {
  const cores = availableParallelism();
  return Array.from({ length: cores }, () => spawn(process.execPath, ["-e", "for(;;);"], { stdio: "ignore" }));
}
