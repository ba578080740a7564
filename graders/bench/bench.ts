/**
 * `npm run bench`: what the kit costs, as ratios measured in one run. Absolute times say little on a shared machine;
 * each ratio's two sides are run in turns, and the least of each is taken.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { stopWhen } from "../diagnoses/catalog/catalog.ts";
import { type Course, kitCourse } from "../grading/course.ts";
import { playAll } from "../grading/runs.ts";
import { openScenario } from "../model/scenario.ts";
import { parseScenario } from "../model/scenario-file.ts";
import { compile } from "../sandbox/compile/compile.ts";
import type { Program } from "../sandbox/compile/program.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { runtimeUrl } from "../sandbox/spawn.ts";
import type { Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";

interface Kit {
  root: string;
  runtime: string;
}

const ROUNDS = 8;
const SCENARIO = "weather-one-call-per-turn";

export async function main(kit: Kit): Promise<number> {
  const lines = [
    ...coldCheck(kit),
    ...healthyAudit(kit),
    ...staleVerdicts(kit),
    ...(await drawnConversations(kit)),
    ...(await inSandbox(kit)),
  ];
  for (const { name, ratio, detail, most } of lines) {
    const verdict = most === null ? "" : ratio <= most ? `  (at most ${most}: holds)` : `  (at most ${most}: MISSED)`;
    process.stdout.write(`${ratio.toFixed(2).padStart(8)}  ${name}${verdict}\n          ${detail}\n`);
  }
  return lines.every(({ ratio, most }) => most === null || ratio <= most) ? 0 : 1;
}

interface Line {
  name: string;
  ratio: number;
  detail: string;
  /** What it must not exceed; null where there is no such promise. */
  most: number | null;
}

/** A cold `check` of one exercise with four scenarios, against a plain in-process vitest + MSW file. */
function coldCheck({ root }: Kit): Line[] {
  const bucle = ["graders/cli/bucle.cjs", "check", "2.3", "--dir", "solutions", "--seed", "bench"];
  const plain = ["node_modules/vitest/vitest.mjs", "run", "--config", "graders/bench/plain.config.ts"];
  const [ours, theirs] = inTurns([() => runNode(root, bucle), () => runNode(root, plain)]);
  return [
    {
      name: "cold `check` of 2.3, four scenarios : `vitest run` of a plain MSW file",
      ratio: ours / theirs,
      detail: `${ms(ours)} : ${ms(theirs)}, least of ${ROUNDS}`,
      most: 0.5,
    },
  ];
}

/** Every behaviour of a healthy loop, against one `check`. */
function healthyAudit({ root }: Kit): Line[] {
  const loop = "graders/grading/styles/for-ever.ts";
  const audit = ["graders/cli/bucle.cjs", "audit", loop, "--seed", "bench"];
  const check = ["graders/cli/bucle.cjs", "check", "2.3", "--dir", "solutions", "--seed", "bench"];
  const [audited, checked] = inTurns([() => runNode(root, audit), () => runNode(root, check)]);
  return [
    {
      name: "`audit` of a healthy loop, every behaviour : one `check` of 2.3",
      ratio: audited / checked,
      detail: `${ms(audited)} : ${ms(checked)}, least of ${ROUNDS}`,
      most: 3,
    },
  ];
}

/** What is drawn against an exercise's own scenarios, over every exercise with code. */
async function drawnConversations(kit: Kit): Promise<Line[]> {
  const course = kitCourse(kit.root, basename(dirname(kit.runtime)));
  const sandbox = createSandbox({ runtime: kit.runtime });
  const exercises = course.exercises.filter(({ scenarios = [] }) => scenarios.length > 0);
  let [own, drawn] = [0, 0];
  try {
    for (const exercise of exercises) {
      const text = readFileSync(join(kit.root, "solutions", exercise.folder, "agent.ts"), "utf8");
      const program = await compileAgent(text, kit.runtime);
      // What is drawn differs from seed to seed: all of them are summed. The first play warms up.
      for (let round = 0; round <= ROUNDS; round += 1) {
        const seed = `bench-${round}`;
        const started = performance.now();
        const { ownMs } = await playAll({ course, sandbox, exercise, program, entry: "runAgent", lang: "en", seed });
        if (round === 0) continue;
        own += ownMs;
        drawn += performance.now() - started - ownMs;
      }
    }
  } finally {
    await sandbox.close();
  }
  return [
    {
      name: "drawn conversations : an exercise's own scenarios, over all exercises with code, in a warm child",
      ratio: drawn / own,
      detail: `${ms(drawn)} : ${ms(own)}, the sum of ${ROUNDS} seeds`,
      most: 1,
    },
  ];
}

/**
 * The verdict on each form of the missing reassignment against the reference solution, as a student waits for it: a cold
 * `check` of 2.2, its three conversations and its predictions.
 */
function staleVerdicts({ root }: Kit): Line[] {
  const solution = join(root, "solutions", "2.2-why-it-never-stops");
  const folder = mkdtempSync(join(tmpdir(), "bucle-bench-"));
  try {
    const submit = (name: string, file: string) => {
      const place = join(folder, name, "2.2-why-it-never-stops");
      mkdirSync(place, { recursive: true });
      copyFileSync(join(solution, "answers.json"), join(place, "answers.json"));
      copyFileSync(join(solution, file), join(place, "agent.ts"));
      return ["graders/cli/bucle.cjs", "check", "2.2", "--dir", join(folder, name), "--seed", "bench"];
    };
    const reference = submit("reference", "agent.ts");
    return STALE_FORMS.map((form) => {
      const stale = submit(form, `wrong/missing-reassignment.${form}.ts`);
      const [looped, honest] = inTurns([() => runNode(root, stale, 1), () => runNode(root, reference)]);
      return {
        name: `verdict on the missing reassignment (${form}) : on the reference solution`,
        ratio: looped / honest,
        detail: `${ms(looped)} : ${ms(honest)}, least of ${ROUNDS}`,
        most: 1.2,
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inTurns(acts: [() => number, () => number]): [number, number] {
  const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of [0, 1] as const) least[side] = Math.min(least[side], acts[side]());
  }
  return least;
}

function runNode(root: string, args: string[], expected = 0): number {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== expected) throw new Error(`node ${args.join(" ")}: exit code ${status}\n${stdout}${stderr}`);
  return performance.now() - started;
}

/** The forms of the missing reassignment: never asks again, throws the reply away, shadows the variable, catches everything. */
const STALE_FORMS = ["never", "discarded", "shadowed", "swallowed"];

/** Loops that never give the event loop a turn. */
const SPINS: Record<string, string> = {
  "while(true){}": "while (true) {}",
  "while(true) await null": "while (true) await null;",
  ".then recursion": "const step = (): any => Promise.resolve().then(step);\n  await step();",
  "a spin on Date.now()": "const end = Date.now() + 10;\n  while (Date.now() < end) {}",
};

/** What waits, for a while or for ever: judged without waiting. */
const WAITS: Record<string, [body: string, most: number]> = {
  "a promise that never settles": ["await new Promise(() => {});", 0.2],
  "a 60 s backoff": ["await new Promise((done) => setTimeout(done, 60_000));", 0.5],
  "a tool that hangs, given up after 30 s": [
    `const { callModel, executeTool } = await import("#harness");
  await callModel({ messages: [{ role: "user", content: userInput }], tools });
  await Promise.race([executeTool("slow", {}), new Promise((done) => setTimeout(done, 30_000))]);`,
    0.5,
  ],
  "a `sleep(0)` poll": ["for (;;) await new Promise((done) => setTimeout(done, 0));", 0.5],
};

async function inSandbox(kit: Kit): Promise<Line[]> {
  const course = kitCourse(kit.root, basename(dirname(kit.runtime)));
  const sandbox = createSandbox({ runtime: kit.runtime });
  const compileText = (text: string) => compileAgent(text, kit.runtime);
  const folder = join(kit.root, "solutions", "2.2-why-it-never-stops");
  const compileFile = (name: string) => compileText(readFileSync(join(folder, name), "utf8"));
  try {
    const reference = await compileFile("agent.ts");
    const scenario = await open(course, SCENARIO);
    const lines: Line[] = [];
    let referenceMs = 0;
    for (const form of STALE_FORMS) {
      const stale = await compileFile(`wrong/missing-reassignment.${form}.ts`);
      const [honest, looped] = await alternately(
        () => timed(sandbox, reference, scenario),
        () => timed(sandbox, stale, scenario),
        20,
      );
      referenceMs = honest.least;
      lines.push({
        name: `the run alone, missing reassignment (${form}) : reference solution, in a warm child`,
        ratio: looped.least / honest.least,
        detail: `${ms(looped.least)} : ${ms(honest.least)}; ${looped.run.counts.callModel} model calls, ended ${looped.run.kind}`,
        // It asks the model up to 26 times where the reference asks 3 times: shown, not promised.
        most: null,
      });
    }
    for (const [name, body] of Object.entries(SPINS)) {
      const { run, took } = await timed(sandbox, await compileText(agent(body)), scenario);
      const cpuMs = run.measured.cpuMs ?? 0;
      lines.push({
        name: `\`${name}\`: seconds of CPU time until the verdict`,
        ratio: cpuMs / 1000,
        detail: `${ms(took)} in all; ended ${run.kind} at line ${run.at?.line}`,
        most: 2,
      });
    }
    const hanging = hangingTool();
    for (const [name, [body, most]] of Object.entries(WAITS)) {
      const { run, took } = await timed(sandbox, await compileText(agent(body)), hanging);
      lines.push({
        name: `${name}: seconds over the reference`,
        ratio: (took - referenceMs) / 1000,
        detail: `${ms(took)} in all; ended ${run.kind ?? run.outcome}`,
        most,
      });
    }
    lines.push(await throughput(sandbox, compileText));
    return lines;
  } finally {
    await sandbox.close();
  }
}

function hangingTool(): Scenario {
  const file = parseScenario(
    {
      title: { es: "una herramienta que se cuelga", en: "a tool that hangs" },
      userInput: "go",
      tools: [{ name: "slow", description: "hangs", input_schema: { type: "object", properties: {} } }],
      replies: [{ calls: [{ tool: "slow", input: {}, does: { hangs: true } }] }, { text: "done {{nonce}}" }],
    },
    "bench",
  );
  return openScenario(file, { name: "bench", seed: "bench", lang: "en" });
}

function agent(body: string): string {
  return `export async function runAgent(userInput: string, tools: any[]) {\n  ${body}\n}\n`;
}

async function open(course: Course, name: string): Promise<Scenario> {
  return openScenario(await course.scenario(name), { name, seed: "bench", lang: "en" });
}

async function compileAgent(text: string, runtime: string): Promise<Program> {
  const submission = { entry: "agent.ts", files: [{ name: "agent.ts", text }], refused: [] };
  const compiled = await compile(submission, { runtimeUrl: runtimeUrl(runtime) });
  if (!compiled.ok) throw new Error(compiled.refusal.headline.en);
  return compiled.value;
}

async function timed(sandbox: Sandbox, program: Program, scenario: Scenario): Promise<{ run: Run; took: number }> {
  const started = performance.now();
  const run = await sandbox.run({
    program,
    entry: "runAgent",
    scenario,
    stopWhen: (trace) => stopWhen(trace, scenario, { cap: null }),
  });
  return { run, took: performance.now() - started };
}

type Timed = Awaited<ReturnType<typeof timed>>;

/** Two things in turns. The next run waits for the last one's child, so that what a loop leaves behind is charged to it. */
async function alternately(a: () => Promise<Timed>, b: () => Promise<Timed>, rounds: number) {
  const first: Timed[] = [];
  const second: Timed[] = [];
  await a();
  for (let round = 0; round < rounds; round += 1) {
    first.push(await a());
    second.push(await b());
  }
  return [best(first), best(second)] as const;
}

function best(all: Timed[]): { least: number; run: Run } {
  const least = all.reduce((x, y) => (y.took < x.took ? y : x));
  return { least: least.took, run: least.run };
}

/** Replies a second through the sandbox, against a bare MSW handler under the same SDK in this process. */
async function throughput(sandbox: Sandbox, compileText: (text: string) => Promise<Program>): Promise<Line> {
  const replies = 400;
  const file = parseScenario(
    {
      title: { es: "siempre lo mismo", en: "always the same" },
      userInput: "go",
      tools: [],
      replies: [{ text: "done {{nonce}}" }],
    },
    "bench",
  );
  const scenario = openScenario(file, { name: "bench", seed: "bench", lang: "en" });
  const loop = `import { callModel } from "#harness";
export async function runAgent(userInput: string) {
  for (let i = 0; i < ${replies}; i++) await callModel({ messages: [{ role: "user", content: userInput + i }] });
}`;
  const program = await compileText(loop);
  const ours = async () => {
    const started = performance.now();
    await sandbox.run({ program, entry: "runAgent", scenario, stopWhen: () => null });
    return performance.now() - started;
  };
  const server = setupServer(
    http.post("https://api.anthropic.com/v1/messages", () =>
      HttpResponse.json({
        id: "msg",
        type: "message",
        role: "assistant",
        content: [],
        stop_reason: "end_turn",
        usage: {},
      }),
    ),
  );
  server.listen();
  const client = new Anthropic({ apiKey: "bench" });
  const bare = async () => {
    const started = performance.now();
    for (let i = 0; i < replies; i += 1) {
      await client.messages.create({
        model: "claude-sonnet-5-5",
        max_tokens: 10,
        messages: [{ role: "user", content: `go${i}` }],
      });
    }
    return performance.now() - started;
  };
  let [least, leastBare] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 4; round += 1) {
    leastBare = Math.min(leastBare, await bare());
    least = Math.min(least, await ours());
  }
  server.close();
  const perSecond = (took: number) => Math.round((replies / took) * 1000);
  return {
    name: "replies a second, a bare MSW handler : the sandbox, same SDK",
    ratio: least / leastBare,
    detail: `${perSecond(leastBare)} : ${perSecond(least)} replies a second`,
    most: null,
  };
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
