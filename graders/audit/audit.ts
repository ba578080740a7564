/** A loop nobody here wrote, against every behaviour: what it offers the model first, then the table. */
import { diagnose, stopWhen } from "../diagnoses/catalog/catalog.ts";
import { exchanges } from "../diagnoses/find/requests.ts";
import { ASIDES_IN_A_ROW } from "../diagnoses/limits/limits.ts";
import { apiSaid, code } from "../diagnoses/words/words.ts";
import { besideAndAlone } from "../grading/beside-and-alone.ts";
import { runGrade } from "../grading/run-grade.ts";
import type { JudgedRun } from "../grading/spec.ts";
import { ASIDE_WORDS } from "../model/aside.ts";
import { openScenario } from "../model/scenario.ts";
import type { ScenarioFile } from "../model/scenario-file.ts";
import { codeFrame } from "../sandbox/compile/frame.ts";
import { isText } from "../trace/api.ts";
import type { RequestEvent, Spot, Trace } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Lang, Text } from "../trace/text.ts";
import type { Behaviour, Seen, Verdict } from "./behaviour.ts";
import { castFor, KIT_TOOLS } from "./cast.ts";
import { hostsIn } from "./endings.ts";
import { finalToolOf, leaveIt } from "./final-tool.ts";
import { inItsName } from "./in-its-name.ts";
import { gotToTheEnd, judged, repliesOf, requestsOf, say } from "./judging.ts";
import { nextStep } from "./next-steps.ts";
import { gaveUp } from "./own-cap.ts";
import type { AuditReport, BehaviourRow, Severity, ToolsInUse } from "./report.ts";
import type { Settings } from "./settings.ts";
import { ADAPT } from "./stage/file.ts";
import type { Stage } from "./stage/stage.ts";
import { neverAnswers, neverAsked, ONLY_WHEN_RUN } from "./start-up.ts";
import { neverStoodIn, ranForReal, strayIn } from "./stood-in.ts";
import { isDangerous } from "./tools.ts";

const files = import.meta.glob<Behaviour>(["./behaviours/*.ts", "!./behaviours/*.test.ts"], {
  eager: true,
  import: "default",
});

/** Every behaviour, in the order of the table. */
export const behaviours: readonly Behaviour[] = Object.values(files).sort((a, b) => a.order - b.order);

export interface AuditOptions {
  stage: Stage;
  /** As it was given. */
  subject: string;
  kit: string;
  seed: string;
  lang: Lang;
  settings: Settings;
  /** Tools that were named for this audit, to be run or left: each must be offered. Those of `audit.json` may be another loop's. */
  named?: readonly string[];
  /** It runs tools through `#harness`: then the kit's own are played. */
  usesHarness: boolean;
  /** Its own tools have stand-ins. */
  stubbed: boolean;
  /** Told after each row. */
  onRow?(row: BehaviourRow): void;
}

/** `notes`: what its reader should know beside it. */
export type Audited =
  | { ok: true; report: AuditReport; notes: readonly Text[] }
  | { ok: false; why: Text; tools: ToolsInUse };

/**
 * Audits a loop.
 * @returns the report; or why there can be none: it never asked the model, or its tools may not be run
 */
export async function audit(options: AuditOptions): Promise<Audited> {
  const { stage, settings } = options;
  const probe = await probeFor(options);
  const asked = requestsOf(probe);
  // A router's or a guardrail's call may come before, without tools.
  const first = asked.find((request) => request.tools.length > 0) ?? asked[0];
  const tools = toolsOf(options, first);
  const stray = options.stubbed ? strayIn(probe) : null;
  if (stray !== null) return { ok: false, why: stray, tools };
  if (first === undefined) {
    const look = (await stage.look?.(probe.scenario)) ?? null;
    return { ok: false, why: neverAsked(probe, stage, look), tools };
  }
  const misfit = misfitOf(probe);
  if (misfit !== null) return { ok: false, why: misfit, tools: { ...tools, kind: "none" } };
  // With tools a row tells of it; with none nothing else would.
  if (tools.kind === "none" && probe.outcome !== "returned")
    return { ok: false, why: neverAnswers(probe, stage), tools };
  const unknown = notOffered(options, tools);
  if (unknown !== null) return { ok: false, why: unknown, tools: { ...tools, kind: "none" } };
  const mayRun = tools.kind !== "own" || tools.list.some(({ called }) => called);
  if (!mayRun) return { ok: false, why: NOT_ALLOWED, tools };

  const cast = castFor({ ...options, tools, definitions: definitionsIn(first.body) });
  const seen: Seen = {
    tools: tools.kind,
    maxCalls: settings.maxCalls,
    clock: stage.clock,
    plain: null,
    endless: null,
    told: new Set(),
  };
  const hosts = new Set(hostsIn(probe.trace));
  const rows: BehaviourRow[] = [];
  const played = new Map<string, readonly JudgedRun[] | null>();
  const runsFor = async (behaviour: Behaviour) => {
    if (!played.has(behaviour.id)) {
      const scripts = behaviour.scenarios(cast, seen);
      played.set(behaviour.id, scripts && (await playAll(options, behaviour, scripts, tools)));
    }
    return played.get(behaviour.id) ?? null;
  };
  const allPlayed = () => [...played.values()].flatMap((conversations) => conversations ?? []);
  for (const behaviour of behaviours) {
    const conversations = await runsFor(behaviour);
    const runs = conversations ?? [];
    if (behaviour === ENDLESS || runs.some(gaveUp)) seen.endless ??= (await runsFor(ENDLESS))?.[0] ?? null;
    for (const run of runs) for (const host of hostsIn(run.trace)) hosts.add(host);
    const astray =
      tools.kind === "stubbed"
        ? runs.map((run) => strayIn(run) ?? ranForReal(run, allPlayed())).find((why) => why)
        : null;
    if (astray) return { ok: false, why: astray, tools };
    if (behaviour.id === PLAINEST) seen.plain = runs[0] ?? null;
    const row = rowOf(options, behaviour, runs, seen, conversations === null);
    rows.push(row);
    if (row.status === "fails" && (row.diagnosis !== null || row.severity === "breaks")) seen.told.add(row.diagnosis);
    options.onRow?.(row);
  }
  const unasked = tools.kind === "stubbed" ? neverStoodIn(allPlayed()) : null;
  return {
    ok: true,
    notes: unasked === null ? [] : [unasked],
    report: {
      kit: options.kit,
      seed: options.seed,
      subject: options.subject,
      kind: stage.clock === "virtual" ? "file" : "command",
      layers: stage.layers,
      endpoint: stage.endpoint,
      refusedHosts: [...hosts].sort(),
      tools,
      behaviours: rows,
    },
  };
}

/** The behaviour whose conversation the others are seen against: the first in the table. */
const PLAINEST = "rounds";

/** The one that shows a loop's own cap: played ahead of its row where another conversation seems to be too long for it. */
const ENDLESS = behaviours.find(({ id }) => id === "endless-model")!;

/** It says hello, and the model says it is done: what the loop offers is all that is wanted. */
async function probeFor({ stage, usesHarness, seed, lang }: AuditOptions): Promise<Run> {
  const scenario = openScenario(PROBE, { name: "probe", seed, lang });
  const [run] = await stage.play([scenario], { toolsSeen: usesHarness ? "calls" : "results", stopWhen: stopsAt(null) });
  return run!;
}

const PROBE: ScenarioFile = {
  title: { es: "Qué herramientas ofrece", en: "Which tools it offers" },
  userInput: { es: "¿En qué me puedes ayudar?", en: "What can you help me with?" },
  tools: KIT_TOOLS,
  // The same as to a request beside a conversation: what a loop does after those words, it does in each.
  replies: [{ text: { es: `${ASIDE_WORDS.es} {{nonce}}`, en: `${ASIDE_WORDS.en} {{nonce}}` } }],
};

function toolsOf({ usesHarness, stubbed, settings }: AuditOptions, first: RequestEvent | undefined): ToolsInUse {
  const names = first?.tools ?? [];
  if (names.length === 0) return { kind: "none", list: [] };
  // One that only talks to the model through `#harness` has tools of its own.
  const areTheKits = usesHarness && names.every((name) => KIT_TOOLS.some((tool) => tool.name === name));
  const kind = areTheKits ? "kit" : stubbed ? "stubbed" : "own";
  return {
    kind,
    list: names.map((name) => ({
      name,
      dangerous: kind !== "kit" && isDangerous(name),
      called: (kind !== "own" || settings.allowTools.includes(name)) && !settings.leaveTools.includes(name),
    })),
  };
}

/** Why a loop that did ask the model cannot be told by its answers; null when it can. */
function misfitOf(run: Run): Text | null {
  const probe: JudgedRun = { ...run, findings: [] };
  const requests = requestsOf(probe);
  const has = (request: RequestEvent) => JSON.stringify(request.body ?? null).includes(probe.scenario.userInput);
  const first = repliesOf(probe)[0];
  if (!requests.some(has)) {
    if (probe.kind === "exited") return RUNS_ITSELF;
    if (first !== undefined || probe.counts.rejected === 0) return null; // it may have a task of its own, and take no text
    const said = apiSaid(exchanges(probe.trace).find(({ reply }) => reply?.kind === "rejection")?.reply ?? null);
    return say((lang) => `${NOT_GIVEN[lang]} ${ADAPT[lang]}${said[lang]}`);
  }
  // What a loop does first for a text holds it, or comes back in the request that does.
  const [opening] = requests;
  const came = requests.find(has);
  if (opening === undefined || came === undefined || opening === came) return null;
  const words = first?.message.content.filter(isText).map(({ text }) => text) ?? [];
  const body = JSON.stringify(came.body);
  return words.some((text) => body.includes(JSON.stringify(text).slice(1, -1))) ? null : RUNS_ITSELF;
}

const RUNS_ITSELF: Text = {
  es: `El archivo empieza una conversación por su cuenta en cuanto se importa, y se mezclaría con las de la auditoría. Que arranque solo cuando se ejecuta: ${ONLY_WHEN_RUN.es}.`,
  en: `The file begins a conversation of its own as soon as it is imported, and that would mix with those of the audit. Let it start only when it is run: ${ONLY_WHEN_RUN.en}.`,
};

const NOT_GIVEN: Text = {
  es: "La API rechazó la primera petición, y el texto que recibió el bucle no estaba en ella: se le llama como runAgent(userInput, tools).",
  en: "The API rejected the first request, and the text that the loop was given was not in it: it is called as runAgent(userInput, tools).",
};

/** What is asked for and cannot be had, the loop not offering it: a slip, and then the audit would be of something else. */
function notOffered({ named = [], stubbed, settings }: AuditOptions, { list }: ToolsInUse): Text | null {
  const isUnknown = (name: string) => !list.some((tool) => tool.name === name);
  const unknown = named.find(isUnknown);
  if (unknown === undefined) return stubbed && list.length === 0 ? NOTHING_STUBBED : null;
  const offered = list.map(({ name }) => code(name)).join(", ");
  const option = code(settings.leaveTools.includes(unknown) ? "--leave-tool" : "--allow-tool");
  return {
    es: `${option} nombra ${code(unknown)}, y tu bucle no ofrece al modelo esa herramienta. ${offered ? `Las que ofrece: ${offered}` : "No ofrece ninguna"}.`,
    en: `${option} names ${code(unknown)}, and your loop does not offer the model that tool. ${offered ? `It offers: ${offered}` : "It offers none"}.`,
  };
}

const NOTHING_STUBBED: Text = {
  es: "Se pidieron dobles para tus herramientas (`--stub-tools`), y tu bucle no ofrece ninguna al modelo en ninguna petición del primer saludo: revisa que las ponga en `tools`, o repite sin `--stub-tools`. Si antes pregunta otra cosa al modelo y de eso depende que llegue a ellas, exporta la función que viene después y nómbrala con --export.",
  en: "Stand-ins were asked for (`--stub-tools`), and your loop offers the model no tool in any request of the first hello: make sure that it puts them in `tools`, or try again without `--stub-tools`. If it asks the model something else before, and gets to them only by some answers, export the function that comes after and name it with --export.",
};

const NOT_ALLOWED: Text = {
  es: "Este bucle ejecuta herramientas suyas, y ninguna se ejecuta sin tu permiso.",
  en: "This loop runs tools of its own, and none is run without your leave.",
};

async function playAll(
  options: AuditOptions,
  behaviour: Behaviour,
  scripts: readonly ScenarioFile[],
  tools: ToolsInUse,
): Promise<JudgedRun[]> {
  const { stage, seed, lang, settings } = options;
  const scenarios = scripts.map((file, index) => ({
    ...openScenario(file, { name: `${behaviour.id}-${index + 1}`, seed: `${seed}/${behaviour.id}/${index + 1}`, lang }),
    asides: tools.kind !== "none",
  }));
  const how = {
    toolsSeen: tools.kind === "own" ? ("results" as const) : ("calls" as const),
    stopWhen: stopsAt(settings.maxCalls),
  };
  const named = { entry: stage.entry, usesHarness: tools.kind === "kit" };
  const diagnosed = (run: Run) => ({ ...run, findings: diagnose(run).map((found) => inItsName(found, named)) });
  const alone = async (scenario: Scenario) => diagnosed((await stage.play([scenario], how))[0]!);
  const runs: JudgedRun[] = [];
  if (!behaviour.together) {
    for (const scenario of scenarios) runs.push(await alone(scenario));
    return runs;
  }
  const held = (await stage.play(scenarios, { ...how, together: behaviour.together })).map(diagnosed);
  // One that will not be used twice at once may say so, and keeps nothing for that.
  if (behaviour.together === "at-once") return held;
  const ways = { goesWell: gotToTheEnd, alone, judge: diagnosed };
  for (const run of held) runs.push(await besideAndAlone(run, ways));
  return runs;
}

/** @param cap most calls of a never-ending conversation; the diagnosis that ends it allows twice an exercise's cap and ten */
export function stopsAt(cap: number | null) {
  const limits = { cap: cap === null ? null : Math.max(1, Math.floor((cap - 10) / 2)) };
  return (trace: Trace, scenario: Scenario) =>
    stopWhen(trace, scenario, limits) ?? (asidesInARow(trace) >= ASIDES_IN_A_ROW ? "asides" : null);
}

/** How many there are since the last turn. */
function asidesInARow(trace: Trace): number {
  const last = trace.findLastIndex(({ type }) => type === "reply");
  return trace.slice(last + 1).filter(({ type }) => type === "aside").length;
}

function rowOf(
  { settings }: AuditOptions,
  behaviour: Behaviour,
  runs: readonly JudgedRun[],
  seen: Seen,
  skipped: boolean,
): BehaviourRow {
  const { id, title } = behaviour;
  const verdict: Verdict = skipped
    ? (behaviour.untried?.(seen) ?? { status: "not-applicable", message: NO_TOOL })
    : judged(behaviour, runs, seen);
  const shown = runs[verdict.run ?? Math.max(0, runs.findIndex(hasFault))];
  const fault = verdict.status === "fails" ? shown?.findings.find((finding) => tellsOf(verdict, finding)) : undefined;
  const told = fault?.at ?? (verdict.status === "fails" ? (shown?.at ?? null) : null);
  const at = told ?? (verdict.status === "fails" && shown ? lastAsked(shown) : null);
  const final = shown ? finalToolOf(shown) : null;
  const nextOf = () => {
    if (final !== null) return leaveIt(final);
    return (fault ? null : verdict.next) ?? nextStep(behaviour, fault ?? null, shown ?? null, seen);
  };
  return {
    id,
    title,
    status: verdict.status,
    severity: severityOf(behaviour, verdict, runs),
    message: verdict.message,
    diagnosis: fault?.id ?? null,
    turn: fault?.turn ?? 0,
    at,
    onlySeenThere: told === null && at !== null,
    frame: at && shown ? codeFrame(shown.source, at) : null,
    next: verdict.status === "fails" ? nextOf() : null,
    ignored: (verdict.status === "fails" && settings.ignore[id]) || null,
    runs: runs.map(runGrade),
  };
}

/** Where the loop last asked the model: what it made of the answer stands near. */
function lastAsked(run: JudgedRun): Spot | null {
  return requestsOf(run).findLast(({ at }) => at !== null)?.at ?? null;
}

const NO_TOOL: Text = {
  es: "No hay ninguna herramienta con la que probarlo.",
  en: "There is no tool to try it with.",
};

/** Whether a finding is the one that a verdict tells. */
function tellsOf({ diagnosis }: Verdict, { id, weight }: JudgedRun["findings"][number]): boolean {
  return diagnosis === undefined ? weight === "fault" : diagnosis === id;
}

function hasFault(run: JudgedRun): boolean {
  return run.findings.some(({ weight }) => weight === "fault");
}

/** What the API rejects, or never ends, breaks, whatever the behaviour is about; not what cannot happen. */
export function severityOf(behaviour: Behaviour, verdict: Verdict, runs: readonly JudgedRun[]): Severity {
  if (verdict.status !== "fails") return behaviour.severity;
  if (verdict.mild) return "advice";
  const broken = runs.some(
    ({ counts, outcome }) => counts.rejected > 0 || outcome === "looped" || outcome === "stalled",
  );
  return broken ? "breaks" : (verdict.severity ?? behaviour.severity);
}

/** The tools a request declares, as far as they are shaped like tools of the user's. */
function definitionsIn(body: unknown): ScenarioFile["tools"] {
  const tools = isRecord(body) && Array.isArray(body.tools) ? body.tools : [];
  return tools.filter(isRecord).flatMap(({ name, description, input_schema: schema }) => {
    if (typeof name !== "string" || !isRecord(schema)) return [];
    const text = typeof description === "string" && description !== "" ? description : name;
    return [{ name, description: text.replace(/\{\{|\}\}/g, ""), input_schema: { ...schema, type: "object" } }];
  }) as ScenarioFile["tools"];
}
