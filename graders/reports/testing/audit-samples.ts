import type { AuditReport, BehaviourRow } from "../../audit/report.ts";
import type { CodeFrame, FindingGrade, RunGrade } from "../../grading/grade.ts";
import type { Text } from "../../trace/text.ts";
import { HOSTILE } from "./samples.ts";

/**
 * Audits written by hand, for the tests of every format: what an audit would find, without running anything.
 * Each is a function, so that a test may change what it gets.
 */

/** A loop that runs tools through `#harness`: every way a row can stand, and one cause behind two failures. */
export function mixed(): AuditReport {
  return reportOf([
    ROUNDS,
    { ...PARALLEL, runs: [run({ findings: [DROPPED] })] },
    row({
      id: "pause-turn",
      title: {
        es: "Cuando llega `pause_turn`, devuelve la respuesta tal cual y sigue",
        en: "On `pause_turn`, sends the reply back as it is and goes on",
      },
      status: "fails",
      severity: "harms",
      message: {
        es: "El bucle tomó por respuesta final un turno que la API había pausado. Quedó sin terminar lo que el usuario pidió.",
        en: "The loop took for its final answer a turn that the API had paused. What the user asked for was left undone.",
      },
      diagnosis: "pause-turn-as-end",
      turn: 1,
      at: { file: "agent.ts", line: 9, column: 10 },
      next: { es: "¿Qué hace tu condición con `pause_turn`?", en: "What does your condition do with `pause_turn`?" },
      runs: [
        run({
          scenario: "pause-turn-1",
          title: { es: "La API hace una pausa", en: "The API pauses" },
          counts: { callModel: 1, executeTool: 0, httpRequests: 1, rejected: 0, faulted: 0, messages: 2 },
          expected: { callModel: 2, executeTool: 0 },
        }),
      ],
    }),
    { ...PARALLEL, ...BIG_TURN, runs: [run({ findings: [DROPPED] }), run({ title: TWO_TURNS })] },
    row({
      id: "cached-prefix",
      title: { es: "No cambia lo que ya envió", en: "Leaves what it has sent as it was" },
      status: "fails",
      severity: "advice",
      message: {
        es: "Cada llamada reescribe el primer mensaje, y así la caché de prompts nunca acierta.",
        en: "Each request rewrites the first message, so prompt caching never gets a hit.",
      },
      runs: [run({})],
    }),
    row({
      id: "gives-up",
      title: { es: "Se rinde cuando el modelo no deja de pedir", en: "Gives up when the model does not stop asking" },
      status: "fails",
      severity: "breaks",
      message: {
        es: "El modelo respondió 250 veces y el bucle seguía.",
        en: "The model answered 250 times and the loop was still going on.",
      },
      diagnosis: "no-iteration-cap",
      ignored: "the gateway in front of it has a budget",
      runs: [run({ outcome: "looped", kind: "no-iteration-cap", expected: null })],
    }),
    row({
      id: "hanging-tool",
      title: { es: "Corta una herramienta que no contesta", en: "Cuts a tool that does not answer" },
      status: "not-observable",
      message: {
        es: "Aquí tus herramientas son tuyas: ninguna se puede dejar colgada.",
        en: "The tools here are your own: none can be made to hang.",
      },
      runs: [],
    }),
    row({
      id: "abort",
      title: { es: "Se detiene cuando se lo piden", en: "Stops when it is told to" },
      status: "not-applicable",
      message: { es: "No recibe ninguna señal.", en: "It takes no signal." },
      runs: [],
    }),
  ]);
}

/** Nothing to mend. */
export function allHolds(): AuditReport {
  return reportOf([
    ROUNDS,
    row({ id: "parallel", title: PARALLEL.title, message: { es: "Los dos, en orden.", en: "Both, in their order." } }),
  ]);
}

/** Tools of the user's own, some of them run; a host it may not reach. */
export function ownTools(): AuditReport {
  return {
    ...mixed(),
    subject: "packages/desk/src/agent.ts",
    kind: "file",
    refusedHosts: ["metrics.example.com", "vault.example.com"],
    tools: {
      kind: "own",
      list: [
        { name: "read_orders", dangerous: false, called: true },
        { name: "refund_order", dangerous: true, called: true },
        { name: "delete_customer", dangerous: true, called: false },
      ],
    },
    behaviours: mixed().behaviours.map(inProject),
  };
}

/** Stand-ins in place of its tools, in the sandbox. */
export function standIns(): AuditReport {
  return {
    ...allHolds(),
    layers: ["process", "permission", "virtual-time", "loop-guard", "lockdown"],
    tools: { kind: "stubbed", list: [{ name: "send_mail", dangerous: true, called: true }] },
  };
}

/** A program in another language: no lines, and a clock that is real. */
export function command(): AuditReport {
  return {
    ...mixed(),
    subject: "python3 agent.py --model small",
    kind: "command",
    layers: ["process"],
    tools: { kind: "none", list: [] },
    behaviours: mixed().behaviours.map((one) => ({
      ...one,
      at: null,
      frame: null,
      runs: one.runs.map((each) => ({ ...each, findings: [], error: null })),
    })),
  };
}

/** More failures of each severity than GitHub shows. */
export function many(): AuditReport {
  const severities = ["breaks", "harms", "advice"] as const;
  return reportOf(
    Array.from({ length: 36 }, (_, index) => ({
      ...PARALLEL,
      id: `behaviour-${index + 1}`,
      severity: severities[index % 3]!,
      runs: [],
    })),
  );
}

/** Strings made to break a report, wherever the audited code has a say. */
export function hostile(): AuditReport {
  const nasty = [...HOSTILE, "]]> <b>&amp; \ufffe \uffff 100% %0A::error::x", "::stop-commands::x"].join("\n");
  const file = "src/age\u202ent %\n::error::file,line=1::]]>.ts";
  const text = { es: nasty, en: nasty };
  const frame = { ...FRAME, file, lines: ["\u001b[2J// ::error::frame ]]>", `\t${nasty}`, "##[error]frame"] };
  const failing = {
    ...PARALLEL,
    message: text,
    next: text,
    at: { file, line: 10, column: 3 },
    frame,
    runs: [
      run({
        outcome: "threw",
        findings: [{ ...DROPPED, at: { file, line: 10, column: 3 }, frame, detail: text }],
        error: { name: `Evil\u001b[31m\n::error::name`, message: nasty, at: { file, line: 3, column: 1 }, stack: [] },
        printed: { head: [...HOSTILE], tail: [...HOSTILE], omittedLines: 7 },
      }),
    ],
  };
  return {
    ...reportOf([
      { ...ROUNDS, message: text },
      failing,
      { ...failing, id: "accepted", ignored: nasty },
      { ...failing, id: "advised", severity: "advice", diagnosis: null },
      { ...failing, id: "unseen", status: "not-observable" },
    ]),
    subject: "./packages/\u001b]0;title\u0007::error::x/src/age\u202ent %\n::error::file,line=1::]]>.ts",
    kind: "file",
    refusedHosts: ["a\n::error::host", "\u001b[31mred.example.com"],
    tools: { kind: "own", list: [{ name: "del\u202eete\n::error::tool ]]>", dangerous: true, called: true }] },
  };
}

function reportOf(behaviours: readonly BehaviourRow[]): AuditReport {
  return {
    kit: "0.1.0",
    seed: "k3f9x2",
    subject: "src/agent.ts",
    kind: "file",
    layers: ["process", "virtual-time", "loop-guard", "no-network", "no-secrets"],
    endpoint: "https://api.anthropic.com/v1/messages",
    refusedHosts: [],
    tools: {
      kind: "kit",
      list: [
        { name: "get_weather", dangerous: false, called: true },
        { name: "convert_temperature", dangerous: false, called: true },
      ],
    },
    behaviours,
  };
}

/** Files named from the project's folder, as an audit of a project has them. */
function inProject(one: BehaviourRow): BehaviourRow {
  const named = <T extends { file: string }>(place: T | null): T | null =>
    place && { ...place, file: `src/${place.file}` };
  return {
    ...one,
    at: named(one.at),
    frame: named(one.frame),
    runs: one.runs.map((each) => ({
      ...each,
      findings: each.findings.map((finding) => ({ ...finding, at: named(finding.at), frame: named(finding.frame) })),
    })),
  };
}

function row(own: Partial<BehaviourRow> & Pick<BehaviourRow, "id" | "title" | "message">): BehaviourRow {
  return {
    status: "holds",
    severity: "harms",
    diagnosis: null,
    turn: 0,
    at: null,
    onlySeenThere: false,
    frame: null,
    next: null,
    ignored: null,
    runs: [run({})],
    ...own,
  };
}

function run(own: Partial<RunGrade>): RunGrade {
  return {
    scenario: "rounds-1",
    title: { es: "Tres turnos con herramientas", en: "Three turns with tools" },
    outcome: "returned",
    kind: null,
    counts: { callModel: 4, executeTool: 3, httpRequests: 4, rejected: 0, faulted: 0, messages: 8 },
    expected: { callModel: 4, executeTool: 3 },
    findings: [],
    error: null,
    printed: { head: [], tail: [], omittedLines: 0 },
    ms: 41.4,
    ...own,
  };
}

const TWO_TURNS: Text = { es: "Dos turnos más", en: "Two more turns" };

const ROUNDS = row({
  id: "rounds",
  title: {
    es: "Sigue mientras el modelo pida herramientas, turno tras turno",
    en: "Goes on while the model asks for tools, turn after turn",
  },
  message: {
    es: "Tres turnos seguidos, y la respuesta final.",
    en: "Three turns in a row, and the final answer.",
  },
});

const FRAME: CodeFrame = {
  file: "agent.ts",
  first: 9,
  line: 10,
  column: 12,
  lines: [
    '  while (response.stop_reason === "tool_use") {',
    "    for (const block of response.content.slice(0, 1)) {",
    "      results.push(await runTool(block));",
  ],
};

const DROPPED: FindingGrade = {
  id: "dropped-tool-result",
  weight: "fault",
  turn: 2,
  at: { file: "agent.ts", line: 10, column: 12 },
  frame: FRAME,
  headline: {
    es: "El resultado de una herramienta no llegó al modelo",
    en: "The result of a tool did not reach the model",
  },
  detail: {
    es: "El modelo pidió 2 herramientas en un turno y recibió 1 tool_result.",
    en: "The model asked for 2 tools in one turn and was sent 1 tool_result.",
  },
  next: {
    es: "¿Qué pasa con los bloques `tool_use` que siguen al primero?",
    en: "What becomes of the `tool_use` blocks after the first?",
  },
};

const PARALLEL = row({
  id: "parallel",
  title: {
    es: "Responde todas las llamadas de un turno, en un solo mensaje",
    en: "Answers every call of a turn, in a single message",
  },
  status: "fails",
  severity: "breaks",
  message: {
    es: "El resultado de una herramienta no llegó al modelo. El modelo pidió 2 herramientas en un turno y recibió 1 tool_result.",
    en: "The result of a tool did not reach the model. The model asked for 2 tools in one turn and was sent 1 tool_result.",
  },
  diagnosis: DROPPED.id,
  turn: DROPPED.turn,
  at: DROPPED.at,
  frame: FRAME,
  next: DROPPED.next,
});

const BIG_TURN = {
  id: "big-turn",
  title: { es: "No se pierde en un turno de ocho llamadas", en: "Does not get lost in a turn of eight calls" },
};
