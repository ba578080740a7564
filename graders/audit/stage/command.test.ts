import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { diagnose, stopWhen } from "../../diagnoses/catalog/catalog.ts";
import { IS_WINDOWS } from "../../sandbox/platform.ts";
import { openTestScript } from "../../testing/play.ts";
import type { Run } from "../../trace/run.ts";
import type { Scenario } from "../../trace/scenario.ts";
import { commandStage } from "./command.ts";
import type { How, Stage } from "./stage.ts";

const PROGRAMS = join(import.meta.dirname, "../../serve/testing");
const NODE = `"${process.execPath}"`;
const quoted = (file: string) => `"${join(PROGRAMS, file)}"`;

const call = (city: string) => ({ tool: "get_weather", input: { city }, does: { returns: "{{nonce}}" } });
const TURNS = [
  { text: "Both at once. {{nonce}}", calls: [call("Lima"), call("Quito")] },
  { calls: [call("Montevideo")] },
  { text: "It is «mild» everywhere, señora. {{nonce}}" },
];
const scenarioOf = (replies: readonly unknown[]): Scenario =>
  openTestScript({
    title: "A test",
    userInput: 'Is it "mild" in Lima & Quito? ¿$HOME?',
    tools: [
      {
        name: "get_weather",
        description: "The weather.",
        input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
    ],
    replies,
  });

const HOW: How = { toolsSeen: "results", stopWhen: (trace, scenario) => stopWhen(trace, scenario, { cap: null }) };

const stages: Stage[] = [];
afterAll(() => Promise.all(stages.map((stage) => stage.close())));

async function played(command: string, replies: readonly unknown[] = TURNS, wallMs?: number): Promise<Run> {
  const stage = commandStage({ command, wallMs });
  stages.push(stage);
  const [run] = await stage.play([scenarioOf(replies)], HOW);
  return run!;
}

/** A program in a line of JavaScript, in this platform's quotes. */
const inNode = (code: string) => `${NODE} -e "${code}"`;

const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const MISSING = {
  python: works("python3", "--version") ? null : "python3 is not here",
  bash: !IS_WINDOWS && works("bash", "--version") && works("curl", "--version") ? null : "bash or curl is not here",
  sdk: null,
};

const PYTHON = `python3 ${quoted("loop.py")}`;
const BASH = `bash ${quoted("loop.sh")}`;
const SDK = `${NODE} ${quoted("loop.mjs")}`;

const FAULTS = [{ fault: 529, retryAfterMs: 1 }, { fault: 429, retryAfterMs: 1 }, ...TURNS];
const BROKEN = [{ fault: "cut" }, TURNS[0], { fault: "cut" }, ...TURNS.slice(1)];

test.concurrent.for([
  ["python", "urllib", PYTHON, FAULTS],
  ["bash", "bash and curl", BASH, TURNS],
  ["sdk", "the SDK", `${SDK} create`, FAULTS],
  ["sdk", "the SDK, streaming", `${SDK} stream`, BROKEN],
  ["sdk", "the SDK's events", `${SDK} events`, BROKEN],
  ["sdk", "the SDK's tool runner, with its threads", `${SDK} runner`, TURNS],
] as const)("an honest program passes without a word: %s %s", async ([needs, , command, replies], { skip }) => {
  if (MISSING[needs] !== null) skip(MISSING[needs]);
  const run = await played(command, replies);
  expect(run).toMatchObject({ outcome: "returned", kind: null, at: null, error: null, source: { files: [] } });
  expect(run.counts).toMatchObject({ callModel: 3, executeTool: 3, rejected: 0 });
  const last = run.scenario.entry(run.scenario.length - 1);
  const answer = last.kind === "reply" && last.content[0]?.type === "text" ? last.content[0].text : null;
  expect(run.trace.at(-1)).toMatchObject({ type: "settled", how: "returned", value: answer });
  expect(run.printed.head).toEqual([answer]);
  expect(diagnose(run)).toEqual([]);
});

test.concurrent.for([
  ["python", "one result of two", `${PYTHON} first-call-only`, TURNS, "dropped-tool-result", "threw"],
  ["python", "no history", `${PYTHON} restarted-conversation`, TURNS, "restarted-conversation", "looped"],
  ["bash", "text only", `${BASH} text-only-history`, TURNS, "text-only-history", "threw"],
  ["sdk", "results apart", `${SDK} create split-tool-results`, TURNS, "split-tool-results", "returned"],
  ["sdk", "no assistant", `${SDK} stream missing-assistant-turn`, TURNS, "missing-assistant-turn", "threw"],
  [
    "sdk",
    "a cut stream",
    `${SDK} events cut-stream-as-answer`,
    [{ fault: "cut" }, TURNS[2]],
    "cut-stream-as-answer",
    "returned",
  ],
  ["sdk", "one pass", `${SDK} runner preamble-as-answer`, TURNS, "preamble-as-answer", "returned"],
] as const)("a mistake is named: %s %s", async ([needs, , command, replies, id, outcome], { skip }) => {
  if (MISSING[needs] !== null) skip(MISSING[needs]);
  const run = await played(command, replies);
  expect(run.outcome).toBe(outcome);
  expect(diagnose(run)[0]).toMatchObject({ id, at: null });
});

test("the prompt comes on stdin, which then ends, and its environment holds no secret but a key that is none", async () => {
  const stage = commandStage({
    command: `${NODE} ${quoted("tell.mjs")}`,
    env: {
      ...process.env,
      ANTHROPIC_API_KEY: "sk-real",
      ANTHROPIC_AUTH_TOKEN: "real",
      GITHUB_TOKEN: "real",
      HTTP_PROXY: "http://proxy.test:1",
      NO_PROXY: "example.test",
    },
  });
  stages.push(stage);
  const [run] = await stage.play([scenarioOf(TURNS)], HOW);
  const { value } = run!.trace.find((event) => event.type === "settled")!;
  expect(JSON.parse(value as string)).toEqual({
    input: 'Is it "mild" in Lima & Quito? ¿$HOME?\n',
    ANTHROPIC_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    ANTHROPIC_API_KEY: expect.not.stringMatching(/real/),
    NO_PROXY: "example.test,127.0.0.1,localhost",
  });
});

test("it begins anew for each conversation, and each has a process and a port of its own", async () => {
  const stage = commandStage({
    command: inNode("process.stdin.resume(); console.log(process.env.ANTHROPIC_BASE_URL)"),
  });
  stages.push(stage);
  const runs = await stage.play([scenarioOf(TURNS), scenarioOf(TURNS)], { ...HOW, together: "at-once" });
  expect(runs.map(({ beside, printed }) => [beside, printed.head.length])).toEqual([
    [[], 1],
    [[], 1],
  ]);
});

test.each([
  [
    "what it printed last of all is no answer",
    inNode("console.error('at work')"),
    { outcome: "returned", error: null },
  ],
  [
    "an exit code",
    inNode("console.log('half'); process.exitCode = 3"),
    { outcome: "threw", error: { name: "exit 3" } },
  ],
  [
    "an error",
    inNode("throw new RangeError('too far')"),
    { outcome: "threw", error: { name: "RangeError", message: "too far" } },
  ],
  ["no such program", "bucle-no-such-program", { outcome: "threw" }],
])("how it ended: %s", async (_what, command, expected) => {
  const run = await played(command);
  expect(run).toMatchObject(expected);
  expect(run.trace).toMatchObject([{ type: "settled", how: expected.outcome, value: null }]);
});

test.skipIf(IS_WINDOWS)("a program that a signal ends has crashed", async () => {
  const run = await played(`exec ${inNode("process.kill(process.pid, 'SIGKILL')")}`);
  expect(run).toMatchObject({ outcome: "crashed", kind: "exited", error: null });
  expect(run.trace).toEqual([]);
});

test("stdout is the answer; both it and stderr are what was printed", async () => {
  const run = await played(inNode("console.error('turn 1'); console.log('one\\ntwo')"));
  expect(run.trace.at(-1)).toMatchObject({ value: "one\ntwo" });
  expect([...run.printed.head].sort()).toEqual(["one", "turn 1", "two"]);
});

test("a flood of output is cut short, and waited for", async () => {
  const flood = "for (let i = 0; i < 200000; i++) process.stdout.write('twelve chars\\n')";
  const run = await played(inNode(flood));
  const { value } = run.trace.find((event) => event.type === "settled")!;
  expect(run.outcome).toBe("returned");
  expect((value as string).length).toBeLessThanOrEqual(512 * 1024);
  expect(run.printed.omittedLines).toBeGreaterThan(100_000);
  const failed = await played(inNode(`${flood}; throw new RangeError('at last')`));
  expect(failed.error).toMatchObject({ name: "RangeError", message: "at last" });
});

/** Somebody a process of a test can call: the line is dead when the process is. */
async function telephone() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as { port: number };
  return {
    program: `${NODE} ${quoted("linger.mjs")} ${address.port}`,
    called: once(server, "connection").then(([socket]) => socket as Socket),
    hangUp: () => server.close(),
  };
}

test("at its time limit a program is ended", async () => {
  const run = await played(inNode("setInterval(() => {}, 1000)"), TURNS, 300);
  expect(run).toMatchObject({ outcome: "stalled", kind: "out-of-time", measured: { limitMs: 300 }, error: null });
  expect(diagnose(run)[0]).toMatchObject({ id: "out-of-time" });
});

test("closing the stage ends what is at work, and what that has started", async () => {
  const { program, called, hangUp } = await telephone();
  const stage = commandStage({ command: program });
  // A shell that waits for a program that waits for another: none of them would ever end.
  const playing = stage.play([scenarioOf(TURNS)], HOW);
  const socket = await called;
  await stage.close();
  if (!socket.closed) await once(socket.resume(), "close");
  expect((await playing)[0]?.trace.filter(({ type }) => type === "request")).toEqual([]);
  hangUp();
});
