/**
 * `npm run mutants`: makes every small mistake it knows in every solution with code, one at a time, and grades each. One
 * that passes is a hole in the grader, unless `equivalent.json` says why it may.
 */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { kitCourse } from "../grading/course.ts";
import { createEngine } from "../grading/engine.ts";
import { entryFor, readEntries, staleEntries } from "./equivalent.ts";
import { jobsOf, judge } from "./grading.ts";
import { type Mutant, operators } from "./mutate.ts";
import { asJson, asText, holds, type Round } from "./report.ts";

/** Long enough for a loop that is ended by processor time on a busy machine; the rest is ended by counting. */
const WALL_MS = 10_000;

/**
 * @param args `--exercise 2.3` and `--operator drop-await` (each may be repeated) look at a part; `--verbose` shows every
 * mutant; `--json` prints one document; `--seed`
 * @returns 0 when every survivor has a reason and every reason is still needed, 1 when not, 2 on wrong usage
 */
export async function main(kit: { root: string; runtime: string }, args: string[]): Promise<number> {
  const values = read(args);
  if (values === null) return 2;
  const course = kitCourse(kit.root, basename(dirname(kit.runtime)));
  const wrong = [
    ...(values.operator ?? []).filter((name) => !Object.hasOwn(operators, name)),
    ...(values.exercise ?? []).filter((id) => !course.exercises.some((exercise) => exercise.id === id)),
  ];
  if (wrong.length > 0) {
    process.stderr.write(`There is no ${wrong.join(", ")}. Operators: ${Object.keys(operators).join(", ")}\n`);
    return 2;
  }
  const entries = readEntries(
    JSON.parse(readFileSync(join(kit.root, "graders", "mutants", "equivalent.json"), "utf8")),
  );
  const started = performance.now();
  const made = await jobsOf(course, ({ id }) => values.exercise?.includes(id) ?? true);
  const jobs = made.filter(
    ({ mutant }) => !values.operator || mutant.keys.some(({ operator }) => values.operator!.includes(operator)),
  );
  const progress = showProgress(jobs.length);
  const openEngine = () =>
    createEngine({ course, runtime: kit.runtime, kit: "mutants", lang: "en", seed: values.seed, wallMs: WALL_MS });
  const judged = await judge(jobs, openEngine, progress.step);
  progress.end();

  const verdicts = new Map(judged.map(({ exercise, text, verdict }) => [exercise.id + text, verdict]));
  const asked = values.exercise ?? entries.flatMap(({ exercises }) => exercises);
  const looked = new Map<string, { keys: Mutant["keys"]; survives: boolean | null }[]>(asked.map((id) => [id, []]));
  for (const { exercise, mutant } of made) {
    const verdict = verdicts.get(exercise.id + mutant.text);
    const survives = verdict === undefined || verdict === "error" ? null : verdict === "survived";
    looked.set(exercise.id, [...(looked.get(exercise.id) ?? []), { keys: mutant.keys, survives }]);
  }
  const round: Round = {
    seed: values.seed,
    ms: Math.round(performance.now() - started),
    mutants: judged.map((mutant) => ({ ...mutant, entry: entryFor(entries, mutant.exercise.id, mutant) })),
    stale: staleEntries(entries, looked),
  };
  process.stdout.write(values.json ? asJson(round) : asText(round, values.verbose === true));
  return holds(round) ? 0 : 1;
}

/** @returns null when they are not understood; then it has been said */
function read(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        exercise: { type: "string", multiple: true },
        operator: { type: "string", multiple: true },
        json: { type: "boolean" },
        verbose: { type: "boolean" },
        seed: { type: "string", default: "mutants" },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return null;
  }
}

/** A line on stderr that counts; in a log, a line every hundred. */
function showProgress(total: number) {
  let done = 0;
  const { isTTY } = process.stderr;
  return {
    step: () => {
      done += 1;
      if (isTTY) process.stderr.write(`\r${done} of ${total} mutants`);
      else if (done % 100 === 0) process.stderr.write(`${done} of ${total} mutants\n`);
    },
    end: () => {
      if (isTTY) process.stderr.write("\r\x1b[K");
    },
  };
}
