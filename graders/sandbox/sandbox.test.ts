import { expect, test } from "vitest";
import { honestLoop, openLab, scenarioOf, twoTurns } from "./testing/lab.ts";

const lab = openLab();
const body = (code: string) => `export async function runAgent() {\n${code}\n}\n`;

test("an honest loop returns, and every call is counted in the parent", async () => {
  const run = await lab.run(honestLoop());
  expect(run).toMatchObject({ outcome: "returned", kind: null });
  expect(run.counts).toEqual({ callModel: 2, executeTool: 1, httpRequests: 2, rejected: 0, faulted: 0, messages: 4 });
  expect(run.trace.map(({ type }) => type)).toEqual([
    "request",
    "reply",
    "tool-call",
    "tool-result",
    "request",
    "reply",
    "settled",
  ]);
});

test("requests and tool calls carry the line of the student's file that made them", async () => {
  const run = await lab.run(honestLoop());
  const lines = run.trace.map((event) => ("at" in event ? event.at?.line : undefined)).filter(Boolean);
  expect(lines).toEqual([6, 12, 16]);
});

const STALE = (inside: string) => `import { callModel, executeTool } from "#harness";
export async function runAgent(userInput: string, tools: any) {
  const messages: any[] = [{ role: "user", content: userInput }];
  let response: any = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    ${inside}
  }
  return response;
}
`;
const ACT = `messages.push({ role: "assistant", content: response.content });
    const results: any[] = [];
    for (const b of response.content) if (b.type === "tool_use") results.push({ type: "tool_result", tool_use_id: b.id, content: String(await executeTool(b.name, b.input)) });
    messages.push({ role: "user", content: results });`;

test.each([
  ["never asks again", ACT],
  ["asks but throws the reply away", `${ACT} await callModel({ messages, tools });`],
  [
    "shadows the variable in the body",
    `${ACT} { const response = await callModel({ messages, tools }); void response; }`,
  ],
  ["catches everything", `try { ${ACT} throw new Error("x"); } catch {}`],
])("the missing reassignment is proven by counting: %s", async (_, inside) => {
  const before = lab.sandbox.children;
  const run = await lab.run(STALE(inside));
  expect(run).toMatchObject({ outcome: "looped", kind: "missing-reassignment" });
  expect(run.counts.executeTool).toBeLessThan(40);
  // A parked run that gets quiet leaves its child to the next.
  expect((await lab.run(honestLoop())).outcome).toBe("returned");
  expect(lab.sandbox.children).toBeLessThanOrEqual(Math.max(before, 1));
});

test("an honest loop that retries a tool that failed is never taken for a stale one", async () => {
  const throws = { throws: "try again {{nonce}}" };
  const flaky = twoTurns([...Array(40).fill(throws), { returns: "seen {{nonce}}" }] as unknown as object);
  const retrying = honestLoop().replace(
    "await executeTool(block.name, block.input)",
    "await (async () => { for (;;) try { return await executeTool(block.name, block.input); } catch {} })()",
  );
  const run = await lab.run(retrying, flaky);
  expect(run).toMatchObject({ outcome: "returned", counts: { callModel: 2, executeTool: 41 } });
});

test.each([
  ["while (true) {}", "  while (true) {}", 2],
  ["while (true) await null", "  for (const x of [1, 2]) void x;\n  while (true) await null;", 3],
  [".then recursion", "  const step = (): any =>\n    Promise.resolve().then(step);\n  await step();", 2],
  ["a spin on Date.now()", "  const end = Date.now() + 10;\n  while (Date.now() < end) {\n  }", 3],
  ["an outer loop whose inner one ends", "  while (true) {\n    for (let i = 0; i < 5; i++) await null;\n  }", 2],
])("a loop that never gives the event loop a turn is named with its line: %s", async (_, code, line) => {
  const run = await lab.run(body(code));
  expect(run).toMatchObject({ outcome: "looped", kind: "busy-loop", at: { file: "agent.ts", line } });
  expect(run.measured.cpuMs).toBeLessThan(2000);
});

test("a spin that keeps a little of each pass is named as a spin, however full the heap", async () => {
  const run = await lab.run(
    body(`  const all: unknown[] = [];\n  while (true) {\n    all.push({ n: all.length });\n  }`),
  );
  expect(run).toMatchObject({ outcome: "looped", kind: "busy-loop", at: { line: 3 } });
});

test.each([
  ["in few passes", "  const all: unknown[] = [];\n  for (;;) all.push(new Array(1e5).fill(0));", 3],
  [
    "in an outer loop",
    "  const all: unknown[] = [];\n  for (;;) {\n    for (let i = 0; i < 3; i++) all.push(new Array(1e5).fill(i));\n  }",
    3,
  ],
])("what fills the heap by what it keeps is named with its line: %s", async (_, code, line) => {
  const run = await lab.run(body(code));
  expect(run).toMatchObject({ outcome: "crashed", kind: "out-of-memory", at: { file: "agent.ts", line } });
});

test("a loop that has ended is not blamed for a later one, however much it kept", async () => {
  const code = `  const kept = Array.from({ length: 280 }, () => new Array(1e5).fill(1));
  let sum = 0;
  for (let i = 0; i < 5e6; i++) sum += i;
  while (true) sum += kept.map(Array.isArray).length;`;
  expect(await lab.run(body(code))).toMatchObject({ at: { line: 5 } });
});

test("work that drops what it makes never fills the heap", async () => {
  const work = `let sum = 0;
  const kept = Array.from({ length: 60 }, () => new Array(1e5).fill(1));
  for (let i = 0; i < 100; i++) sum += new Array(2e5).fill(i).length;
  for (let i = 0; i < 20_000; i++) sum += Object.keys({ a: [i, i, i, i], b: String(i).repeat(9) }).length;
  if (kept.length + sum === 0) return null as any;`;
  expect((await lab.run(honestLoop(work))).outcome).toBe("returned");
});

test("a spin inside a regular expression is named too, by the interrupted thread's stack", async () => {
  const run = await lab.run(body(`  return /^(a+)+$/.test("a".repeat(64) + "!");`));
  expect(run).toMatchObject({ outcome: "looped", kind: "busy-loop", at: { file: "agent.ts", line: 2 } });
});

test("an honest second of CPU work is not flagged", async () => {
  const work = `const start = process.cpuUsage();
  let sum = 0;
  for (let spent = 0; spent < 1_000_000; ) {
    for (let i = 0; i < 1000; i++) sum += i;
    const { user, system } = process.cpuUsage(start);
    spent = user + system;
  }`;
  expect((await lab.run(honestLoop(work))).outcome).toBe("returned");
});

test("long work in steps is not flagged: the event loop turns between them", async () => {
  const steps = `for (let step = 0; step < 6; step++) {
    const start = process.cpuUsage();
    for (let spent = 0; spent < 600_000; ) {
      const { user, system } = process.cpuUsage(start);
      spent = user + system;
    }
    await new Promise((done) => setTimeout(done));
  }`;
  expect((await lab.run(honestLoop(steps))).outcome).toBe("returned");
});

test("a promise that never settles is told at once", async () => {
  const run = await lab.run(body("  await new Promise(() => {});"));
  expect(run).toMatchObject({ outcome: "stalled", kind: "never-settles" });
});

test("a wait at the top of the module is told as well", async () => {
  const run = await lab.run(honestLoop("", "await new Promise(() => {});"));
  expect(run).toMatchObject({ outcome: "stalled", kind: "never-settles" });
});

test("minutes of backoff, deadlines and slow tools pass in virtual time", async () => {
  const wait = `await new Promise((done) => setTimeout(done, 60_000));
  const started = Date.now();`;
  const timeout = honestLoop(wait).replace(
    "await executeTool(block.name, block.input)",
    `await Promise.race([
        executeTool(block.name, block.input),
        new Promise((done) => setTimeout(() => done("gave up after " + (Date.now() - started)), 30_000)),
      ])`,
  );
  const run = await lab.run(timeout, twoTurns({ hangs: true }));
  expect(run.outcome).toBe("returned");
  expect(JSON.stringify(run.trace)).toContain("gave up after 30000");
  expect((await lab.run(honestLoop(), twoTurns({ returns: "late {{nonce}}", takesMs: 600_000 }))).outcome).toBe(
    "returned",
  );
});

test("AbortSignal.timeout and timers/promises keep virtual time too", async () => {
  const run = await lab.run(`import { setTimeout as sleep } from "node:timers/promises";
export async function runAgent() {
  const signal = AbortSignal.timeout(5000);
  await sleep(4000);
  const before = signal.aborted;
  await sleep(2000);
  return { before, after: signal.aborted };
}`);
  expect(run.trace.at(-1)).toMatchObject({ value: { before: false, after: true } });
});

test.each([
  [
    "a signal that has not fired does not spoil it",
    "AbortSignal.timeout(1).onabort = () => console.log('late');",
    true,
  ],
  ["a timer that was forgotten does", "setTimeout(() => console.log('late'), 1);", false],
])("the next run has the same process: %s", async (_, left, same) => {
  const leaves = `export async function runAgent() {\n  ${left}\n  return process.pid;\n}`;
  const waits = `export async function runAgent() {\n  await new Promise((done) => setTimeout(done, 60_000));\n  return process.pid;\n}`;
  const runs = [await lab.run(leaves), await lab.run(waits)];
  const [first, second] = runs.map(({ trace }) => trace.at(-1)).map((end) => end?.type === "settled" && end.value);
  expect(first === second).toBe(same);
  expect(runs.flatMap(({ printed }) => printed.head)).toEqual([]);
});

test("a poll that never gets anywhere is an idle loop", async () => {
  const run = await lab.run(body("  for (;;) await new Promise((done) => setTimeout(done, 0));"));
  expect(run).toMatchObject({ outcome: "looped", kind: "idle-loop" });
});

test("an error names the student's own file, line and column", async () => {
  const text = `interface Shape {
  name: string;
  size: number;
}

type Maybe<T> = T | null;

function find(shapes: Shape[], name: string): Maybe<Shape> {
  return shapes.find((shape) => shape.name === name) ?? null;
}

export async function runAgent(): Promise<string> {
  const shapes: Shape[] = [];
  const shape: Maybe<Shape> = find(shapes, "circle");
  enum Level { Low, High }
  const level: Level = Level.High;
  if (shape === null) throw new RangeError(\`no shape at level \${level as number}\`);
  return (shape as Shape).name;
}
`;
  const run = await lab.run(text);
  expect(run).toMatchObject({
    outcome: "threw",
    at: { file: "agent.ts", line: 17, column: 29 },
    error: { name: "RangeError", message: "no shape at level 1" },
  });
});

test("what is printed stands in order, its head and tail kept, with stacks in the student's own lines", async () => {
  const run = await lab.run(
    body(`  for (let i = 1; i <= 500; i++) console.log("line", i);
  console.error(new Error("here").stack);`),
  );
  expect(run.printed.head[0]).toBe("line 1");
  expect(run.printed.omittedLines).toBeGreaterThan(400);
  expect(run.printed.tail.join("\n")).toContain("line 500");
  expect(run.printed.tail.join("\n")).toContain("agent.ts:3:17");
});

test("a flood of output does not stop the verdict", async () => {
  const run = await lab.run(body(`  const line = "x".repeat(1000);\n  for (;;) console.log(line);`));
  expect(run).toMatchObject({ outcome: "looped", kind: "busy-loop", at: { line: 3 } });
});

test.each([
  ["process.exit(0)", "  process.exit(0);", "crashed", "exited"],
  [
    "an error in a timer",
    "  setTimeout(() => { throw new Error('late'); }, 5);\n  await new Promise((r) => setTimeout(r, 10));",
    "crashed",
    "uncaught",
  ],
  [
    "an unhandled rejection",
    "  void Promise.reject(new Error('stray'));\n  await new Promise((r) => setTimeout(r, 10));",
    "crashed",
    "uncaught",
  ],
  [
    "a heap that grows for ever",
    "  const all = [];\n  for (;;) { all.push(new Array(1000).fill(all.length)); if (all.length % 1000 === 0) await new Promise((r) => setTimeout(r)); }",
    "crashed",
    "out-of-memory",
  ],
  [
    "reading a file",
    `  const { readFileSync } = await import("node:fs");\n  return readFileSync("/etc/passwd", "utf8");`,
    "blocked",
    "filesystem",
  ],
  ["another host", `  return await (await fetch("https://example.com/")).text();`, "blocked", "network"],
  ["a raw socket", `  const net = await import("node:net");\n  net.connect(80, "127.0.0.1");`, "blocked", "network"],
  ["a signal to the parent", "  process.kill(process.ppid, 'SIGKILL');", "blocked", "process"],
])("%s ends the run as %s", async (_, code, outcome, kind) => {
  expect(await lab.run(body(code))).toMatchObject({ outcome, kind });
});

test("a refusal that is caught is only a note", async () => {
  const run = await lab.run(honestLoop("try { process.kill(1); } catch {}"));
  expect(run.outcome).toBe("returned");
  expect(run.trace.some((event) => event.type === "blocked" && event.what === "process")).toBe(true);
});

test("a leftover interval holds nothing, and costs only the child", async () => {
  const run = await lab.run(honestLoop("setInterval(() => {}, 1000);"));
  expect(run.outcome).toBe("returned");
  expect((await lab.run(honestLoop())).counts.callModel).toBe(2);
});

test("calls that are made after runAgent has returned belong to its own run", async () => {
  const late = `import { callModel } from "#harness";
export async function runAgent(userInput: string) {
  void (async () => { await null; await callModel({ messages: [{ role: "user", content: userInput }] }); })();
  return "done";
}`;
  expect((await lab.run(late)).counts.callModel).toBe(1);
  expect((await lab.run(honestLoop())).counts.callModel).toBe(2);
});

test("a changed global does not reach the next run", async () => {
  await lab.run(
    body(
      "  JSON.stringify = () => '{}';\n  (globalThis as any).leak = 1;\n  Promise.prototype.then = function () { return this; } as any;",
    ),
  );
  const run = await lab.run(honestLoop(`if ((globalThis as any).leak) throw new Error("leaked");`));
  expect(run).toMatchObject({ outcome: "returned", counts: { callModel: 2, executeTool: 1 } });
});

test("garbage on the channel is the student's failure and nobody else's", async () => {
  const run = await lab.run(`import { writeSync } from "node:fs";
export async function runAgent() { writeSync(3, '{"cmd":"NODE_HANDLE_ACK"}\\n'); return "x"; }`);
  expect(run).toMatchObject({ outcome: "crashed", kind: "exited" });
  expect((await lab.run(honestLoop())).outcome).toBe("returned");
});

test("a forged verdict is not believed: nothing was counted", async () => {
  const run = await lab.run(`import { writeSync } from "node:fs";
export async function runAgent() { writeSync(3, JSON.stringify({ t: "settled", run: 1, how: "returned", value: "all is well" }) + "\\n"); }`);
  expect(run.counts).toMatchObject({ callModel: 0, executeTool: 0 });
});

test.each([
  ["a string", "return (response.content.at(-1) as any).text;"],
  ["an object", "return { answer: (response.content.at(-1) as any).text } as any;"],
])("%s comes up as it is", async (_, code) => {
  const run = await lab.run(honestLoop().replace("return response;", code).replace("Promise<Message>", "Promise<any>"));
  expect(JSON.stringify(run.trace.at(-1))).toContain("all is well");
});

test("an async generator is drained", async () => {
  const generator = honestLoop()
    .replace("async function", "async function*")
    .replace(": Promise<Message>", "")
    .replace(
      "response = await callModel({ messages, tools });\n  }",
      "yield response;\n response = await callModel({ messages, tools });\n  }",
    );
  const run = await lab.run(generator);
  expect(run).toMatchObject({ outcome: "returned", counts: { callModel: 2 } });
});

test("faults are retried by the SDK in virtual time", async () => {
  const overloaded = { fault: 529, retryAfterMs: 20_000 };
  const run = await lab.run(
    honestLoop(),
    scenarioOf({ replies: [overloaded, overloaded, { text: "up again {{nonce}}" }] }),
  );
  expect(run).toMatchObject({ outcome: "returned", counts: { callModel: 1, httpRequests: 3, faulted: 2 } });
});

test("a stream is answered as a stream", async () => {
  const streamed = honestLoop()
    .replace('"#harness";', '"#harness";\nimport Anthropic from "@anthropic-ai/sdk";\nconst own = new Anthropic();')
    .replaceAll(
      "callModel({ messages, tools })",
      'own.messages.stream({ model: "claude-sonnet-5-5", max_tokens: 100, messages, tools }).finalMessage()',
    );
  expect(await lab.run(streamed)).toMatchObject({ outcome: "returned", counts: { callModel: 2, executeTool: 1 } });
});

test("an error speaks of the student's own names, not of those the bundler gave them", async () => {
  const run = await lab.run(body("  let reply = 1;\n  while (reply) {\n    void reply;\n    let reply = 0;\n  }"));
  expect(run.error).toMatchObject({
    name: "ReferenceError",
    message: "Cannot access 'reply' before initialization",
    stack: [{ file: "agent.ts", line: 4 }],
  });
});

test.each([
  ["an object that holds it", "export default { runAgent: async () => 'done' };"],
  ["a class that has it", "export default class Agent { #word = 'done'; async runAgent() { return this.#word; } }"],
])("runAgent may be a method of what is exported: %s", async (_, text) => {
  expect((await lab.run(text)).trace.at(-1)).toMatchObject({ type: "settled", value: "done" });
});

test("an export that is no function is named in the error", async () => {
  const run = await lab.run("export const runAgent = 42;");
  expect(run.error?.message).toBe("The export `runAgent` is number, not a function");
});

test("messages sent round in a circle are told by the CPU time they cost, not by the clock", async () => {
  const circle = body(`  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => port1.postMessage(1);
  port2.onmessage = () => port2.postMessage(1);
  port1.postMessage(1);
  await new Promise(() => {});`);
  expect(await lab.run(circle)).toMatchObject({ outcome: "looped", kind: "busy-loop" });
});

test("a thread cannot be put to sleep for real", async () => {
  const sleeps = body("  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);");
  expect(await lab.run(sleeps)).toMatchObject({ outcome: "blocked", kind: "process" });
});
