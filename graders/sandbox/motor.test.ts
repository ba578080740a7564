/** A project that leaves something real open, a process or a worker: time passes and the run ends all the same. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { honestLoop, openLab, scenarioOf, twoTurns } from "./testing/lab.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bucle-motor-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const lab = openLab({ trusted: { cwd: folder } });

/** Starts a process that answers each line it is sent after a while, and stays. */
const PROCESS = `const { spawn } = process.getBuiltinModule("node:child_process");
  const answers = "process.stdin.on('data', (line) => setTimeout(() => process.stdout.write(line), 300))";
  const server = spawn(process.execPath, ["-e", answers], { stdio: ["pipe", "pipe", "ignore"] });`;
const WORKER = `const { Worker } = process.getBuiltinModule("node:worker_threads");
  new Worker("require('node:worker_threads').parentPort.on('message', () => {})", { eval: true });`;

test.each([
  ["a process", PROCESS],
  ["a worker", WORKER],
])("%s left open: the loop is heard to its end, and its child is not used again", async (_what, open) => {
  const run = await lab.run(honestLoop(open));
  expect(run).toMatchObject({ outcome: "returned", counts: { callModel: 2, executeTool: 1 } });
  const { children } = lab.sandbox;
  await lab.run(honestLoop());
  expect(lab.sandbox.children).toBe(children + 1);
});

test("its waits are over in time: a retry comes", async () => {
  const overloaded = scenarioOf({ replies: [{ fault: 529, retryAfterMs: 200 }, { text: "all is well {{nonce}}" }] });
  const run = await lab.run(honestLoop(PROCESS), overloaded);
  expect(run).toMatchObject({ outcome: "returned", counts: { httpRequests: 2, callModel: 1 } });
});

test("one conversation after another begins", async () => {
  const runs = await lab.runBeside(honestLoop(PROCESS), [twoTurns(), twoTurns()], "in-turn");
  expect(runs.map(({ outcome }) => outcome)).toEqual(["returned", "returned"]);
});

test("what is left open may be what it waits for: no long deadline of its own comes first", async () => {
  const asks = `${PROCESS}
  const first = await Promise.race([
    new Promise((answered) => server.stdout.once("data", () => answered("answer"))),
    new Promise((late) => setTimeout(() => late("deadline"), 60_000)),
    void server.stdin.write("hello\\n") ?? new Promise(() => {}),
  ]);
  if (first !== "answer") throw new Error(first);`;
  expect(await lab.run(honestLoop(asks))).toMatchObject({ outcome: "returned", error: null });
});

test("one that waits for nothing at all is told so", async () => {
  const run = await lab.run(honestLoop(`${PROCESS}\n  await new Promise(() => {});`));
  expect(run).toMatchObject({ outcome: "stalled", kind: "never-settles" });
});
