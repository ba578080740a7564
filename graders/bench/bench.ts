/**
 * `npm run bench`: what the kit costs, as ratios measured in one run. Absolute times say little on a shared machine;
 * each ratio's two sides are run in turns, and the least of each is taken.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { stopWhen } from "../diagnoses/catalog/catalog.ts";
import { type Course, kitCourse } from "../grading/course.ts";
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
const SCENARIO = "on-call-restart-and-verify";

export async function main(kit: Kit): Promise<number> {
  const lines = [...coldCheck(kit), ...(await inSandbox(kit))];
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

function inTurns(acts: [() => number, () => number]): [number, number] {
  const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of [0, 1] as const) least[side] = Math.min(least[side], acts[side]());
  }
  return least;
}

function runNode(root: string, args: string[]): number {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")}: exit code ${status}\n${stdout}${stderr}`);
  return performance.now() - started;
}

async function inSandbox(kit: Kit): Promise<Line[]> {
  const course = kitCourse(kit.root, basename(dirname(kit.runtime)));
  const sandbox = createSandbox({ runtime: kit.runtime });
  const compileText = (text: string) => compileAgent(text, kit.runtime);
  const file = (path: string) => readFileSync(join(kit.root, path), "utf8");
  const reference = await compileText(file("solutions/2.3-write-the-loop/agent.ts"));
  const stale = await compileText(file("solutions/2.3-write-the-loop/wrong/missing-reassignment.ts"));
  const scenario = await open(course, SCENARIO);
  try {
    const run = (program: Program, of = scenario) => timed(sandbox, program, of);
    const [honest, looped] = await alternately(
      () => run(reference),
      () => run(stale),
      20,
    );
    const lines: Line[] = [
      {
        name: "missing reassignment : reference solution, same scenario",
        ratio: looped.least / honest.least,
        detail: `${ms(looped.least)} : ${ms(honest.least)}; ended ${looped.run.kind}`,
        most: 1.2,
      },
    ];
    const alone = async (text: string, most: number, name: string, ofCpu = false): Promise<Line> => {
      const { run: ended, took } = await run(await compileText(text));
      const cpuMs = ended.measured.cpuMs ?? 0;
      return {
        name,
        ratio: ofCpu ? cpuMs / 1000 : (took - honest.least) / 1000,
        detail: `${ms(took)} in all${ofCpu ? `, ${ms(cpuMs)} of CPU time` : ""}; ended ${ended.kind ?? ended.outcome} at line ${ended.at?.line ?? "-"}`,
        most,
      };
    };
    lines.push(
      await alone(agent("while (true) {}"), 2, "`while(true){}`: seconds of CPU time until the verdict", true),
    );
    lines.push(await alone(agent("while (true) await null;"), 2, "`while(true) await null`: the same", true));
    lines.push(
      await alone(
        agent("await new Promise(() => {});"),
        0.2,
        "a promise that never settles: seconds over the reference",
      ),
    );
    lines.push(
      await alone(
        agent("await new Promise((r) => setTimeout(r, 60_000));"),
        0.5,
        "a 60 s backoff: seconds over the reference",
      ),
    );
    lines.push(
      await alone(
        agent("for (;;) await new Promise((r) => setTimeout(r, 0));"),
        0.5,
        "a `sleep(0)` poll: seconds over the reference",
      ),
    );
    lines.push(await throughput(sandbox, compileText));
    return lines;
  } finally {
    await sandbox.close();
  }
}

function agent(body: string): string {
  return `export async function runAgent() {\n  ${body}\n}\n`;
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
