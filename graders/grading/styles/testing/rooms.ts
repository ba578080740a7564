/** Where programs are run: on the kit's exercises by the engine, on the whole harness by the sandbox. Only for tests. */
import { resolve } from "node:path";
import { afterAll, inject } from "vitest";
import { diagnose, stopWhen } from "../../../diagnoses/catalog/catalog.ts";
import { readRequest } from "../../../model/rules/rule.ts";
import { UNCERTAIN } from "../../../model/rules/uncertain.ts";
import { openScenario } from "../../../model/scenario.ts";
import { parseScenario } from "../../../model/scenario-file.ts";
import { rebuildThread } from "../../../model/threads.ts";
import { compile } from "../../../sandbox/compile/compile.ts";
import type { Program } from "../../../sandbox/compile/program.ts";
import { findEntry } from "../../../sandbox/entry.ts";
import { takeIn } from "../../../sandbox/intake.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { runtimeUrl } from "../../../sandbox/spawn.ts";
import { inEveryRun } from "../../../specs/checks/checks.ts";
import type { Run } from "../../../trace/run.ts";
import type { Scenario } from "../../../trace/scenario.ts";
import { LANGS, type Lang } from "../../../trace/text.ts";
import { kitCourse } from "../../course.ts";
import { createEngine } from "../../engine.ts";
import type { JudgedRun } from "../../spec.ts";
import { exerciseOf } from "../../testing/fake.ts";
import { type Conversation, conversations } from "./conversations.ts";
import { CAP, demands } from "./whole-harness.ts";

/** A seed for each language: what passes does so with other names, numbers and texts. */
export const DRAWS = LANGS.map((lang) => ({ seed: `style in ${lang}`, lang }));

export interface Draw {
  seed: string;
  lang: Lang;
}

const kit = kitCourse(resolve(import.meta.dirname, "../../../.."), "test");

/** An engine for the code of the kit's exercises, closed after the test file. */
export function openExercises({ seed, lang }: Draw) {
  const engine = createEngine({ course: kit, runtime: inject("runtime"), kit: "test", lang, seed });
  afterAll(() => engine.close());
  return (folder: string, id: string) => {
    const { quiz: _, ...exercise } = exerciseOf(kit, id);
    const criteria = exercise.criteria.filter(({ on }) => on !== "quiz");
    return engine.gradeExercise({ ...exercise, criteria }, folder);
  };
}

/** One conversation held by a program. */
export interface Held {
  run: JudgedRun;
  /** What it was to show and did not, in words for a failing test. */
  lacks: string[];
  /** Ids of what was found, headline first. */
  found: { id: string; weight: "fault" | "advice" }[];
  /** Names of the uncertain refusals that some request of it would meet, were they switched on. */
  doubts: string[];
}

/** A sandbox for the conversations of the whole harness, closed after the test file. */
export function openWholeHarness({ seed, lang }: Draw) {
  const runtime = inject("runtime");
  const sandbox = createSandbox({ runtime });
  afterAll(() => sandbox.close());
  const programs = new Map<string, Promise<Ready>>();
  /**
   * @param folder a submission
   * @param changes what is different in the scenario
   */
  return async (folder: string, name: Conversation, changes: Partial<Scenario> = {}): Promise<Held> => {
    if (!programs.has(folder)) programs.set(folder, compileFolder(folder, runtime));
    const ready = (await programs.get(folder)) as Ready;
    const file = parseScenario(conversations[name], name);
    const scenario = { ...openScenario(file, { name, seed, lang }), ...changes };
    const stops = { cap: CAP };
    const played = await sandbox.run({ ...ready, scenario, stopWhen: (trace) => stopWhen(trace, scenario, stops) });
    const run = { ...played, cap: CAP };
    const findings = diagnose(run);
    const judged: JudgedRun = { ...run, findings };
    const lacks = Object.entries(demands[name]).flatMap(([what, evidences]) => {
      const reason = inEveryRun({ runs: [judged], quiz: null }, evidences);
      return reason === null ? [] : [`${what}: ${reason.en}`];
    });
    return { run: judged, lacks, found: findings.map(({ id, weight }) => ({ id, weight })), doubts: doubtsOf(run) };
  };
}

/** A refusal is a pure function of the request: what no request meets changes nothing when it is switched on. */
function doubtsOf({ trace }: Run): string[] {
  const requests = trace
    .filter((event) => event.type === "request")
    .map(({ body, seq }) => {
      const past = trace.slice(0, seq);
      const delivered = past.flatMap((event) =>
        event.type === "reply" && event.message ? [event.message.content] : [],
      );
      return readRequest(rebuildThread(past, body), { delivered });
    });
  return UNCERTAIN.filter((rule) => requests.some((request) => rule.check(request) !== null)).map(({ name }) => name);
}

interface Ready {
  program: Program;
  entry: string;
}

/** @throws Error when the submission cannot be taken in, compiled, or has no loop */
async function compileFolder(folder: string, runtime: string): Promise<Ready> {
  const taken = await takeIn(folder);
  if (!taken.ok) throw new Error(taken.refusal.headline.en);
  const compiled = await compile(taken.value, { runtimeUrl: runtimeUrl(runtime) });
  if (!compiled.ok) throw new Error(`${compiled.refusal.headline.en} ${compiled.refusal.detail.en}`);
  const entry = findEntry(compiled.value.exports);
  if (entry === null) throw new Error("no entry");
  return { program: compiled.value, entry };
}
