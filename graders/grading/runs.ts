/** The runs that an exercise is judged on: its own scenarios, then conversations drawn in their world, held from one import. */
import { diagnose, stopWhen } from "../diagnoses/catalog/catalog.ts";
import { openScenario } from "../model/scenario.ts";
import type { ScenarioFile } from "../model/scenario-file.ts";
import type { Program } from "../sandbox/compile/program.ts";
import type { Order } from "../sandbox/protocol.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Lang, Text } from "../trace/text.ts";
import { besideAndAlone } from "./beside-and-alone.ts";
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
  /** What the exercise's own scenarios took, ms. Never part of a verdict. */
  ownMs: number;
}

/** Name of a generated conversation, as a run's scenario. */
export const GENERATED = "generated";

/** Conversations that are drawn for an exercise: one to be held alone, and then two at once. */
const DRAWN = 3;

/** Plays one conversation alone: a generated one again, from its file. */
export async function replay(player: Player, file: ScenarioFile): Promise<Played> {
  const scenario = openFixed(player, file, GENERATED);
  return { runs: [await playOne(player, scenario)], generated: null, ownMs: 0 };
}

/**
 * Plays all of an exercise. What is drawn is played only by a submission that passes the exercise's own scenarios, and
 * only what fails is kept: the smallest conversation found, or the pair where each of them alone is passed.
 */
export async function playAll(player: Player): Promise<Played> {
  const { course, exercise } = player;
  const names = exercise.scenarios ?? [];
  // It takes a while to load: meanwhile the child plays.
  const hunting = import("./generated/hunt.ts");
  hunting.catch(() => {}); // told below, if it is needed
  const started = performance.now();
  const files: ScenarioFile[] = [];
  const runs: JudgedRun[] = [];
  const seen: Seen = { shown: null, shortWall: false };
  for (const name of names) {
    const file = await course.scenario(name);
    files.push(file);
    const run = await playOne(player, openFixed(player, file, name), seen);
    if (run.outcome === "looped") seen.shown ??= run.kind;
    seen.shortWall ||= run.kind === "out-of-time";
    runs.push(run);
  }
  const passesWith = (more: readonly JudgedRun[]) => passes(exercise, [...runs, ...more]);
  const ownMs = performance.now() - started;
  if (runs.length === 0 || !passesWith([])) return { runs, generated: null, ownMs };

  const { draw, smallest } = await hunting;
  const search = { files, seed: `${player.seed}/${exercise.id}/${GENERATED}`, tries: DRAWN };
  const drawn = draw(search);
  if (drawn.length === 0) return { runs, generated: null, ownMs };
  const generated = { played: drawn.length, failed: null };
  const together = await playTogether(player, drawn, "first-alone");
  const holds = (held: Held) => held.runs.length === held.asked && passesWith(held.runs);
  if (holds(together)) return { runs, generated, ownMs };
  // Is it one conversation, or that there are several?
  const fails = async (file: ScenarioFile) => !passesWith([await playOne(player, openDrawn(player, file))]);
  const failed = await smallest({ ...search, fails });
  if (failed !== null) {
    runs.push(await playOne(player, openDrawn(player, failed)));
    return { runs, generated: { ...generated, failed: tell(player, failed) }, ownMs };
  }
  // Then two of them tell more plainly than three.
  const inTurn = await playTogether(player, drawn.slice(0, 2), "in-turn");
  const atOnce = holds(inTurn) ? await playTogether(player, drawn.slice(1), "at-once") : inTurn;
  const ways = {
    goesWell: (run: JudgedRun) => passesWith([run]),
    alone: (scenario: Scenario) => playOne(player, scenario),
    judge: (run: Run) => judged(exercise, run),
  };
  for (const run of (holds(atOnce) ? together : atOnce).runs) runs.push(await besideAndAlone(run, ways));
  return { runs, generated, ownMs };
}

function passes(exercise: CourseExercise, runs: readonly JudgedRun[]): boolean {
  return exercise.criteria.every(
    (criterion) => criterion.on === "quiz" || criterion.check({ runs, quiz: null }) === null,
  );
}

/** Conversations that were held from one import: the runs of those that began. */
interface Held {
  runs: JudgedRun[];
  /** How many there were to hold. */
  asked: number;
}

/** Several conversations from one import of the submission. */
async function playTogether(player: Player, files: readonly ScenarioFile[], order: Order): Promise<Held> {
  const scenarios = openTogether(player, files, order).map((scenario, index) => ({
    ...scenario,
    title: numbered(TOGETHER[order], index + 1, files.length),
  }));
  const played = await player.sandbox.runBeside({ ...whatToRun(player), scenarios, order });
  return { runs: played.map((run) => judged(player.exercise, run)), asked: files.length };
}

/** Tries at a prompt that no other conversation has. */
const PROMPTS = 20;

/** With unlike prompts, where the world has enough: by them it shows whose message a request carries. */
export function openTogether(
  player: Pick<Player, "seed" | "exercise" | "lang">,
  files: readonly ScenarioFile[],
  order: Order,
): Scenario[] {
  const opened: Scenario[] = [];
  for (const [index, file] of files.entries()) {
    const name = `${order}-${index + 1}`;
    const open = (n: number) => ({ ...openFixed(player, file, `${name}/${n}`), name });
    const isUnlike = ({ userInput }: Scenario) => opened.every((other) => other.userInput !== userInput);
    let scenario = open(0);
    for (let n = 1; n < PROMPTS && !isUnlike(scenario); n += 1) scenario = open(n);
    opened.push(scenario);
  }
  return opened;
}

const TOGETHER: Record<Order, Text> = {
  "in-turn": {
    es: "Dos conversaciones, una después de la otra",
    en: "Two conversations, one after the other",
  },
  "at-once": { es: "Dos conversaciones a la vez", en: "Two conversations at once" },
  "first-alone": {
    es: "Tres conversaciones: una, y después dos a la vez",
    en: "Three conversations: one, and then two at once",
  },
};

/** Of conversations held together each has a name of its own: one may go well where another does not. */
function numbered({ es, en }: Text, number: number, of: number): Text {
  return { es: `${es} (${number} de ${of})`, en: `${en} (${number} of ${of})` };
}

function openFixed(
  { seed, exercise, lang }: Pick<Player, "seed" | "exercise" | "lang">,
  file: ScenarioFile,
  name: string,
): Scenario {
  return openScenario(file, { name, seed: `${seed}/${exercise.id}/${name}`, lang });
}

function openDrawn(player: Player, file: ScenarioFile): Scenario {
  const what = describe(file);
  const title = { es: `Conversación generada: ${what.es}`, en: `Generated conversation: ${what.en}` };
  return { ...openFixed(player, file, GENERATED), title };
}

/** What another conversation of the same submission has shown: there is no point in watching as long again. */
interface Seen {
  /** The diagnosis that ended it. */
  shown: string | null;
  /** The clock ended it: what held it up will hold up this one. */
  shortWall: boolean;
}

async function playOne(player: Player, scenario: Scenario, seen: Seen | null = null): Promise<JudgedRun> {
  const what = whatToRun(player, seen?.shown);
  const stops = (trace: Trace) => what.stopWhen(trace, scenario);
  const shortWall = seen?.shortWall ?? false;
  return judged(player.exercise, await player.sandbox.run({ ...what, stopWhen: stops, scenario, shortWall }));
}

function whatToRun({ program, entry, keepAllOutput, exercise }: Player, shown: string | null = null) {
  const limits = { cap: exercise.cap ?? null, shown };
  return {
    program,
    entry,
    stopWhen: (trace: Trace, scenario: Scenario) => stopWhen(trace, scenario, limits),
    keepAllOutput: keepAllOutput ?? false,
  };
}

function judged(exercise: CourseExercise, played: Run): JudgedRun {
  const run: Run = { ...played, cap: exercise.cap ?? null, demands: exercise.demands ?? [] };
  // Advice points ahead, to an exercise that is still to come.
  const findings = diagnose(run).filter(
    ({ weight, exercise: teaches }) => weight === "fault" || compareIds(teaches, exercise.id) > 0,
  );
  return { ...run, findings };
}

function tell(player: Player, file: ScenarioFile): NonNullable<GeneratedGrade["failed"]> {
  const lines = (lang: Lang) => transcript(openDrawn({ ...player, lang }, file), lang, { results: true });
  // Kept under the name it has here: whoever plays it again should know it.
  const { title } = openDrawn(player, file);
  return { file: { ...file, title }, when: describe(file), transcript: { es: lines("es"), en: lines("en") } };
}
