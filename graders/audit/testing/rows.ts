/** Plays a behaviour's conversations with small loops, as an audit does, and tests what is said of them. */
import { expect, test } from "vitest";
import { diagnose } from "../../diagnoses/catalog/catalog.ts";
import { besideAndAlone } from "../../grading/beside-and-alone.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import { openScenario } from "../../model/scenario.ts";
import { parseScenario, type ScenarioFile } from "../../model/scenario-file.ts";
import { type Agent, play, playBeside } from "../../testing/play.ts";
import type { Run } from "../../trace/run.ts";
import type { Scenario } from "../../trace/scenario.ts";
import { LANGS, type Lang } from "../../trace/text.ts";
import { severityOf } from "../audit.ts";
import type { Behaviour, Seen, Verdict } from "../behaviour.ts";
import endless from "../behaviours/endless-model.ts";
import rounds from "../behaviours/rounds.ts";
import { castFor, KIT_TOOLS } from "../cast.ts";
import { gotToTheEnd, judged } from "../judging.ts";
import { gaveUp } from "../own-cap.ts";
import type { BehaviourStatus, Severity, ToolsInUse } from "../report.ts";

type Kind = ToolsInUse["kind"];

export interface Played {
  agent: Agent;
  /** The same loop from an import of its own, where it keeps anything outside of itself. */
  anew?: Agent;
  /** Whose tools they are; the kit's when left out. */
  tools?: Kind;
  lang?: Lang;
  seed?: string;
  clock?: Seen["clock"];
  /** HTTP attempts of one call of the model; three when left out, as the SDK makes them. */
  attempts?: number;
  /** What the runs ended with when only a sandbox could have seen it. */
  ended?: Partial<Pick<Run, "outcome" | "kind" | "error">>;
  /** The plainest conversation ended like that, too. */
  endedPlainly?: boolean;
  /** The diagnoses that rows before have told. */
  told?: readonly string[];
}

export interface Case extends Played {
  name: string;
  /** Words of the message, in either language. */
  says?: readonly string[];
  severity?: Severity;
  /** Words of the next step, in either language, where the verdict has one of its own. */
  next?: string;
  /** The diagnosis that tells it; null: none. */
  diagnosis?: string | null;
  /** Index of the run that shows it. */
  run?: number;
}

/** Most model calls of a conversation without end: fewer than an audit's, for speed. */
const MAX_CALLS = 60;

const OWN_TOOLS: ScenarioFile["tools"] = ["read_logs", "find_order"].map((name) => ({
  name,
  description: name,
  input_schema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
}));

/** Plays a behaviour with one loop. */
export async function playRow(
  behaviour: Behaviour,
  played: Played,
): Promise<{ verdict: Verdict | null; runs: JudgedRun[] }> {
  const {
    agent,
    anew,
    tools: kind = "kit",
    lang = "en",
    seed = "seed",
    clock = "virtual",
    attempts,
    ended,
    endedPlainly = false,
    told = [],
  } = played;
  const offered = kind === "none" ? [] : kind === "kit" ? KIT_TOOLS : OWN_TOOLS;
  const list = offered.map(({ name }) => ({ name, dangerous: false, called: true }));
  const cast = castFor({ seed, tools: { kind, list }, definitions: offered, settings: { inputs: {} } });
  const seen: Seen = { tools: kind, maxCalls: MAX_CALLS, clock, plain: null, endless: null, told: new Set(told) };
  const open =
    ({ id }: Behaviour) =>
    (file: ScenarioFile, index: number) => {
      const name = `${id}-${index + 1}`;
      const opened = openScenario(parseScenario(JSON.parse(JSON.stringify(file)), name), {
        name,
        seed: `${seed}/${name}`,
        lang,
      });
      return { ...opened, asides: kind !== "none" };
    };
  const how = {
    cap: (MAX_CALLS - 10) / 2,
    toolsSeen: kind === "own" ? ("results" as const) : ("calls" as const),
    ...(attempts === undefined ? {} : { attempts }),
  };
  const end = ended === undefined ? {} : { ended };
  // An audit names no cap.
  const diagnosed = (run: Run): JudgedRun => ({ ...run, cap: null, findings: diagnose({ ...run, cap: null }) });
  const playFirst = async (other: Behaviour, more: typeof end = {}) => {
    const [scenario] = (other.scenarios(cast, seen) ?? []).map(open(other));
    return scenario ? diagnosed(await play(agent, { ...how, ...more, scenario })) : null;
  };
  if (behaviour.order > endless.order) seen.endless = await playFirst(endless);
  const files = behaviour.scenarios(cast, seen);
  if (files === null) return { verdict: behaviour.untried?.(seen) ?? null, runs: [] };
  const scenarios = files.map(open(behaviour));
  const runs = behaviour.together
    ? await playBeside(agent, scenarios, behaviour.together, { ...how, ...end })
    : await Promise.all(scenarios.map((scenario) => play(agent, { ...how, ...end, scenario })));
  const alone = async (scenario: Scenario) => diagnosed(await play(anew ?? agent, { ...how, scenario }));
  const ways = { goesWell: gotToTheEnd, alone, judge: diagnosed };
  const found = await Promise.all(
    runs.map(diagnosed).map((run) => (anew === undefined ? run : besideAndAlone(run, ways))),
  );
  if (!behaviour.together) seen.plain = await playFirst(rounds, endedPlainly ? end : {});
  if (found.some(gaveUp)) seen.endless ??= await playFirst(endless);
  return { verdict: judged(behaviour, found, seen), runs: found };
}

/** The lists of a behaviour's test: loops that hold, loops that fail, and loops that cannot be judged, with why. */
export function rows(
  behaviour: Behaviour,
  lists: {
    holds: readonly Case[];
    fails: readonly Case[];
    others?: readonly (Case & { status: "not-applicable" | "not-observable" | null })[];
  },
): void {
  test(`${behaviour.id}: its title and its scenarios are in both languages`, () => {
    for (const lang of LANGS) expect(behaviour.title[lang]).toMatch(/[^.]$/);
    expect(behaviour.title.es).not.toBe(behaviour.title.en);
  });
  for (const each of lists.holds) check(behaviour, each, "holds");
  for (const each of lists.fails) check(behaviour, each, "fails");
  for (const each of lists.others ?? []) check(behaviour, each, each.status);
}

function check(behaviour: Behaviour, each: Case, status: BehaviourStatus | null): void {
  test(`${status ?? "not played"}: ${each.name}`, async () => {
    const { verdict, runs } = await playRow(behaviour, each);
    if (status === null) return void expect(verdict).toBeNull();
    const told = `${verdict?.message.en} | found: ${runs.map(({ findings }) => findings.map(({ id }) => id))}`;
    expect(verdict?.status, told).toBe(status);
    if (verdict === null) return;
    for (const lang of LANGS) expect(quoteless(verdict.message[lang])).toMatch(WELL_FORMED);
    if (each.severity) expect(severityOf(behaviour, verdict, runs), told).toBe(each.severity);
    if (each.diagnosis !== undefined) expect(verdict.diagnosis, told).toBe(each.diagnosis);
    if (verdict.diagnosis) {
      expect(runs[verdict.run ?? 0]?.findings.map(({ id }) => id)).toContain(verdict.diagnosis);
    }
    if (each.run !== undefined) expect(verdict.run).toBe(each.run);
    if (each.next) expect(`${verdict.next?.es} ${verdict.next?.en}`).toContain(each.next);
    for (const words of each.says ?? []) expect(`${verdict.message.es} ${verdict.message.en}`).toContain(words);
  });
}

/** A sentence or two, with nothing in them that a program left there. */
const WELL_FORMED = /^(?!.*(?:undefined|null|NaN|\[object| {2}| [.,]|\.\.(?!\.)|[,;:]\.))[A-ZÁÉÍÓÚÑ`¿0-9].*[.?`]$/s;

/** A text without what it quotes: that may be anything. */
export function quoteless(text: string): string {
  return text.replace(/«[^»]*»|"[^"]*"|`[^`]*`/g, "`…`");
}
