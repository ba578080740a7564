/** A loop nobody here wrote, against every behaviour: what it offers the model first, then the table. */
import { diagnose, stopWhen } from "../diagnoses/catalog/catalog.ts";
import { exchanges } from "../diagnoses/find/requests.ts";
import { apiSaid } from "../diagnoses/words/words.ts";
import { runGrade } from "../grading/run-grade.ts";
import type { JudgedRun } from "../grading/spec.ts";
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
import { answersTo, endingOf, repliesOf, requestsOf, say, toolCallsOf } from "./judging.ts";
import type { AuditReport, BehaviourRow, Severity, ToolsInUse } from "./report.ts";
import type { Settings } from "./settings.ts";
import { ADAPT } from "./stage/file.ts";
import type { Stage } from "./stage/stage.ts";
import { isDangerous } from "./tools.ts";
import { isAnError } from "./unfit-calls.ts";

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
  /** It runs tools through `#harness`: then the kit's own are played. */
  usesHarness: boolean;
  /** Its own tools have stand-ins. */
  stubbed: boolean;
  /** Told after each row. */
  onRow?(row: BehaviourRow): void;
}

export type Audited = { ok: true; report: AuditReport } | { ok: false; why: Text; tools: ToolsInUse };

/**
 * Audits a loop.
 * @returns the report; or why there can be none: it never asked the model, or its tools may not be run
 */
export async function audit(options: AuditOptions): Promise<Audited> {
  const { stage, settings } = options;
  const probe = await probeFor(options);
  const first = probe.trace.find((event): event is RequestEvent => event.type === "request");
  const tools = toolsOf(options, first);
  if (first === undefined) return { ok: false, why: neverAsked(probe, stage), tools };
  const misfit = misfitOf(probe);
  if (misfit !== null) return { ok: false, why: misfit, tools: { ...tools, kind: "none" } };
  // With tools a row tells of it; with none nothing else would.
  if (tools.kind === "none" && probe.outcome !== "returned") return { ok: false, why: neverAnswers(probe), tools };
  const mayRun = tools.kind !== "own" || tools.list.some(({ called }) => called);
  if (!mayRun) return { ok: false, why: NOT_ALLOWED, tools };

  const cast = castFor({ ...options, tools, definitions: definitionsIn(first.body) });
  const seen: Seen = { tools: tools.kind, maxCalls: settings.maxCalls, clock: stage.clock };
  const hosts = new Set(hostsIn(probe.trace));
  const rows: BehaviourRow[] = [];
  for (const behaviour of behaviours) {
    const scripts = behaviour.scenarios(cast);
    const runs = scripts === null ? [] : await playAll(options, behaviour, scripts, tools);
    for (const run of runs) for (const host of hostsIn(run.trace)) hosts.add(host);
    if (tools.kind === "stubbed" && runs.some(ranForReal)) return { ok: false, why: RAN_FOR_REAL, tools };
    const row = rowOf(options, behaviour, runs, seen, scripts === null);
    rows.push(row);
    options.onRow?.(row);
  }
  return {
    ok: true,
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

/** It says hello, and the model says it is done: what is offered in the first request is all that is wanted. */
async function probeFor({ stage, usesHarness, seed, lang }: AuditOptions): Promise<Run> {
  const scenario = openScenario(PROBE, { name: "probe", seed, lang });
  const [run] = await stage.play([scenario], { toolsSeen: usesHarness ? "calls" : "results", stopWhen: stopsAt(null) });
  return run!;
}

const PROBE: ScenarioFile = {
  title: { es: "Qué herramientas ofrece", en: "Which tools it offers" },
  userInput: { es: "¿En qué me puedes ayudar?", en: "What can you help me with?" },
  tools: KIT_TOOLS,
  replies: [{ text: { es: "Dime qué necesitas. {{nonce}}", en: "Tell me what you need. {{nonce}}" } }],
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
      called: kind !== "own" || settings.allowTools.includes(name),
    })),
  };
}

function neverAsked(run: Run, { endpoint, whenSilent }: Stage): Text {
  const threw = run.error ? `, ${run.error.name}: ${run.error.message}` : "";
  const blocked = hostsIn(run.trace);
  const tried = blocked.length > 0 ? blocked.join(", ") : null;
  return {
    es: `El bucle no llamó ni una vez a ${endpoint}${tried ? `, pero sí intentó llegar a ${tried}: solo se audita la API de Anthropic` : ""} (terminó así: ${run.kind ?? run.outcome}${threw}). ${whenSilent.es}`,
    en: `The loop did not call ${endpoint} even once${tried ? `, but tried to reach ${tried}: only Anthropic's own API is audited` : ""} (it ended like this: ${run.kind ?? run.outcome}${threw}). ${whenSilent.en}`,
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
  es: "El archivo empieza una conversación por su cuenta en cuanto se importa, y se mezclaría con las de la auditoría. Que arranque solo cuando se ejecuta: `if (import.meta.url === pathToFileURL(process.argv[1]).href) main()`, o `if (require.main === module) main()` en CommonJS.",
  en: "The file begins a conversation of its own as soon as it is imported, and that would mix with those of the audit. Let it start only when it is run: `if (import.meta.url === pathToFileURL(process.argv[1]).href) main()`, or `if (require.main === module) main()` in CommonJS.",
};

const NOT_GIVEN: Text = {
  es: "La API rechazó la primera petición, y el texto que recibió el bucle no estaba en ella: se le llama como runAgent(userInput, tools).",
  en: "The API rejected the first request, and the text that the loop was given was not in it: it is called as runAgent(userInput, tools).",
};

/** One question and one answer, and the loop did not get through it. */
function neverAnswers(run: Run): Text {
  const ending = endingOf(run);
  return {
    es: `Con la conversación más simple (una pregunta, una respuesta y ninguna herramienta) tu función no llegó a devolver nada: ${ending.es}. Arregla eso antes de auditar lo demás.`,
    en: `In the plainest conversation (one question, one answer, no tool) your function did not get to return anything: it ${ending.en}. Mend that before the rest is audited.`,
  };
}

const NOT_ALLOWED: Text = {
  es: "Este bucle ejecuta herramientas suyas, y ninguna se ejecuta sin tu permiso.",
  en: "This loop runs tools of its own, and none is run without your leave.",
};

/** Whether calls were answered, not by an error, though no stand-in was asked for any of them. */
function ranForReal(run: JudgedRun): boolean {
  if (toolCallsOf(run).length > 0) return false;
  const isOffered = (name: string) => run.scenario.tools.some((tool) => tool.name === name);
  return repliesOf(run)
    .filter(({ message }) => message.stop_reason === "tool_use")
    .flatMap((turn) => answersTo(run, turn)?.calls ?? [])
    .some(({ name, results }) => isOffered(name) && results.some((result) => !isAnError(result)));
}

const RAN_FOR_REAL: Text = {
  es: "Las llamadas del modelo recibieron resultado sin que se usara ningún doble: puede que tus herramientas se hayan ejecutado de verdad, así que la auditoría se detuvo. Nombra con --stub-tools el módulo donde están sus funciones, exportadas con el nombre de cada herramienta o dentro de una lista o un objeto.",
  en: "The model's calls were given results and no stand-in was used: your tools may really have been run, so the audit stopped. Name with --stub-tools the module that holds their functions, exported under each tool's name or within a list or an object.",
};

async function playAll(
  options: AuditOptions,
  behaviour: Behaviour,
  scripts: readonly ScenarioFile[],
  tools: ToolsInUse,
): Promise<JudgedRun[]> {
  const { stage, seed, lang, settings } = options;
  const scenarios = scripts.map((file, index) =>
    openScenario(file, { name: `${behaviour.id}-${index + 1}`, seed: `${seed}/${behaviour.id}/${index + 1}`, lang }),
  );
  const how = {
    toolsSeen: tools.kind === "own" ? ("results" as const) : ("calls" as const),
    stopWhen: stopsAt(settings.maxCalls),
  };
  const runs: Run[] = [];
  if (behaviour.together) runs.push(...(await stage.play(scenarios, { ...how, together: behaviour.together })));
  else for (const scenario of scenarios) runs.push(...(await stage.play([scenario], how)));
  return runs.map((run) => ({ ...run, findings: diagnose(run) }));
}

/** @param cap most calls of a never-ending conversation; the diagnosis that ends it allows twice an exercise's cap and ten */
function stopsAt(cap: number | null) {
  const limits = { cap: cap === null ? null : Math.max(1, Math.floor((cap - 10) / 2)) };
  return (trace: Trace, scenario: Scenario) => stopWhen(trace, scenario, limits);
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
    : behaviour.judge(runs, seen);
  const shown = runs[verdict.run ?? Math.max(0, runs.findIndex(hasFault))];
  const fault = verdict.status === "fails" ? shown?.findings.find((finding) => tellsOf(verdict, finding)) : undefined;
  const at = fault?.at ?? (verdict.status === "fails" && shown ? (shown.at ?? lastAsked(shown)) : null);
  return {
    id,
    title,
    status: verdict.status,
    severity: severityOf(behaviour, verdict, runs),
    message: verdict.message,
    diagnosis: fault?.id ?? null,
    turn: fault?.turn ?? 0,
    at,
    frame: at && shown ? codeFrame(shown.source, at) : null,
    next: fault?.next ?? null,
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

/** What the API rejects, or never ends, breaks, whatever the behaviour is about. */
export function severityOf(behaviour: Behaviour, verdict: Verdict, runs: readonly JudgedRun[]): Severity {
  if (verdict.status !== "fails") return behaviour.severity;
  const broken = runs.some(
    ({ counts, outcome }) => counts.rejected > 0 || outcome === "looped" || outcome === "stalled",
  );
  return broken ? "breaks" : (verdict.severity ?? behaviour.severity);
}

/** Hosts that a run was refused. */
function hostsIn(trace: Trace): string[] {
  return trace.flatMap((event) =>
    event.type === "blocked" && event.what === "network" ? [event.detail.split(" ").at(-1) ?? event.detail] : [],
  );
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
