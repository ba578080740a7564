/** The runs that an exercise is judged on: its own scenarios; then conversations drawn in their world; then two at a time. */
import { diagnose, stopWhen } from "../diagnoses/catalog/catalog.ts";
import { openScenario } from "../model/scenario.ts";
import type { ScenarioFile } from "../model/scenario-file.ts";
import type { Program } from "../sandbox/compile/program.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Lang, Text } from "../trace/text.ts";
import { type Course, type CourseExercise, compareIds } from "./course.ts";
import { describe } from "./generated/describe.ts";
import type { GeneratedGrade } from "./grade.ts";
import type { JudgedRun } from "./spec.ts";
import { transcript } from "./transcript.ts";

export interface Player {
  course: Course;
  sandbox: Sandbox;
  exercise: CourseExercise;
  program: Program;
  /** Name of the exported loop. */
  entry: string;
  lang: Lang;
  seed: string;
  keepAllOutput?: boolean;
}

export interface Played {
  runs: JudgedRun[];
  /** Null when no conversation was drawn: there was enough to mend already. */
  generated: GeneratedGrade | null;
}

/** Name of a generated conversation, as a run's scenario. */
export const GENERATED = "generated";

/** As many conversations are drawn as an exercise has scenarios, and no fewer than this. */
const LEAST = 3;

/** Plays one conversation alone: a generated one again, from its file. */
export async function replay(player: Player, file: ScenarioFile): Promise<Played> {
  return { runs: [await playOne(player, openDrawn(player, file), false)], generated: null };
}

/**
 * Plays all of an exercise. What is drawn is played only by a submission that passes the exercise's own scenarios, and
 * only what fails is kept: at most one conversation, the smallest found, and one pair.
 */
export async function playAll(player: Player): Promise<Played> {
  const { course, exercise } = player;
  const names = exercise.scenarios ?? [];
  // It takes a while to load: meanwhile the child plays.
  const hunting = import("./generated/hunt.ts");
  hunting.catch(() => {}); // told below, if it is needed
  const files: ScenarioFile[] = [];
  const runs: JudgedRun[] = [];
  let outOfTime = false;
  for (const name of names) {
    const file = await course.scenario(name);
    files.push(file);
    const run = await playOne(player, openFixed(player, file, name), outOfTime);
    outOfTime ||= run.kind === "out-of-time";
    runs.push(run);
  }
  const passesWith = (more: readonly JudgedRun[]) => passes(exercise, [...runs, ...more]);
  if (runs.length === 0 || !passesWith([])) return { runs, generated: null };

  const tries = Math.max(LEAST, names.length);
  const drawn = { seed: `${player.seed}/${exercise.id}/${GENERATED}`, files, tries };
  const { hunt } = await hunting;
  const failed = await hunt({
    ...drawn,
    fails: async (file) => !passesWith([await playOne(player, openDrawn(player, file), false)]),
  });
  if (failed !== null) runs.push(await playOne(player, openDrawn(player, failed), false));
  const pair = failed === null ? await failingPair(player, files, passesWith) : [];
  runs.push(...pair);
  return { runs, generated: { played: tries, failed: failed && tell(player, failed) } };
}

function passes(exercise: CourseExercise, runs: readonly JudgedRun[]): boolean {
  return exercise.criteria.every(
    (criterion) => criterion.on === "quiz" || criterion.check({ runs, quiz: null }) === null,
  );
}

/** Two conversations from one import, one after the other, then at once; the runs of the first pair that does not pass. */
async function failingPair(
  player: Player,
  files: readonly ScenarioFile[],
  passesWith: (more: readonly JudgedRun[]) => boolean,
): Promise<JudgedRun[]> {
  const [shortest] = files
    .filter(({ endless, replies }) => endless === undefined && replies.some((reply) => "calls" in reply))
    .toSorted((a, b) => a.replies.length - b.replies.length);
  if (shortest === undefined) return [];
  for (const order of ["in-turn", "at-once"] as const) {
    const scenarios = ["first", "second"].map((which) => ({
      ...openFixed(player, shortest, `two-${order}-${which}`),
      title: TWO[order],
    }));
    const played = await player.sandbox.runBeside({ ...whatToRun(player), scenarios, order });
    const runs = played.map((run) => judged(player.exercise, run));
    if (!passesWith(runs)) return runs;
  }
  return [];
}

const TWO: Record<"in-turn" | "at-once", Text> = {
  "in-turn": {
    es: "Dos conversaciones, una después de la otra",
    en: "Two conversations, one after the other",
  },
  "at-once": { es: "Dos conversaciones a la vez", en: "Two conversations at once" },
};

function openFixed({ seed, exercise, lang }: Player, file: ScenarioFile, name: string): Scenario {
  return openScenario(file, { name, seed: `${seed}/${exercise.id}/${name}`, lang });
}

function openDrawn(player: Player, file: ScenarioFile): Scenario {
  const what = describe(file);
  const title = { es: `Conversación generada: ${what.es}`, en: `Generated conversation: ${what.en}` };
  return { ...openFixed(player, file, GENERATED), title };
}

/** @param shortWall what held up one run until the clock ended it will hold up the next: there is no point in waiting as long again */
async function playOne(player: Player, scenario: Scenario, shortWall: boolean): Promise<JudgedRun> {
  const what = whatToRun(player);
  const stops = (trace: Trace) => what.stopWhen(trace, scenario);
  return judged(player.exercise, await player.sandbox.run({ ...what, stopWhen: stops, scenario, shortWall }));
}

function whatToRun({ program, entry, keepAllOutput, exercise }: Player) {
  const limits = { cap: exercise.cap ?? null };
  return {
    program,
    entry,
    stopWhen: (trace: Trace, scenario: Scenario) => stopWhen(trace, scenario, limits),
    keepAllOutput: keepAllOutput ?? false,
  };
}

function judged(exercise: CourseExercise, played: Run): JudgedRun {
  const run: Run = { ...played, cap: exercise.cap ?? null };
  // Advice points ahead, to an exercise that is still to come.
  const findings = diagnose(run).filter(
    ({ weight, exercise: teaches }) => weight === "fault" || compareIds(teaches, exercise.id) > 0,
  );
  return { ...run, findings };
}

function tell(player: Player, file: ScenarioFile): NonNullable<GeneratedGrade["failed"]> {
  const lines = (lang: Lang) => transcript(openDrawn({ ...player, lang }, file), lang);
  return { file, when: describe(file), transcript: { es: lines("es"), en: lines("en") } };
}
