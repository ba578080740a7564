import { expect, test } from "vitest";
import type { RequestEvent } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Order } from "./protocol.ts";
import { honestLoop, openLab, scenarioOf } from "./testing/lab.ts";

const lab = openLab();

type Name = "red" | "blue" | "green";

/** A conversation whose prompt, tool and result tell it from the others. */
function of(name: Name, does: Partial<Record<Name, object>> = {}): Scenario {
  return scenarioOf({
    name,
    userInput: `the ${name} prompt`,
    tools: [`look_${name}`],
    replies: [
      {
        calls: [
          { tool: `look_${name}`, input: { at: name }, does: does[name] ?? { returns: `${name} found {{nonce}}` } },
        ],
      },
      { text: `${name} is well {{nonce}}` },
    ],
  });
}

const pair = (does: Partial<Record<Name, object>> = {}): [Scenario, Scenario] => [of("red", does), of("blue", does)];

/** What the requests of a run say, as JSON. */
const requested = (run: Run | undefined) =>
  JSON.stringify(run?.trace.filter((event): event is RequestEvent => event.type === "request").map(({ body }) => body));
const honest = { callModel: 2, executeTool: 1, httpRequests: 2, rejected: 0, faulted: 0, messages: 4 };
const BOTH: Order[] = ["in-turn", "at-once"];

const GENERATOR = honestLoop()
  .replace("async function", "async function*")
  .replace(": Promise<Message>", "")
  .replace("while (", "yield response;\n  while (");
const METHOD = honestLoop().replace("export async function runAgent", "async function loop");
const CLASS = `${METHOD}
export default class Agent {
  #runs = 0;
  async runAgent(userInput: string, tools: Tool[]) {
    this.#runs += 1;
    if (this.#runs > 1) throw new Error("an agent of a class is made anew");
    return loop(userInput, tools);
  }
}`;
const STREAMING = honestLoop("", `import Anthropic from "@anthropic-ai/sdk";\nconst own = new Anthropic();`).replaceAll(
  "callModel({ messages, tools })",
  'own.messages.stream({ model: "claude-sonnet-5-5", max_tokens: 100, messages, tools }).finalMessage()',
);
/** Nothing awaits what the timer calls: only the context it was set in tells whose it is. */
const BY_TIMER = honestLoop(
  "",
  `function later<T>(act: () => Promise<T>): Promise<T> {
  return new Promise((done) => setTimeout(() => act().then(done), 5));
}`,
).replaceAll("await callModel({ messages, tools })", "await later(() => callModel({ messages, tools }))");

test.each(
  BOTH.flatMap((order) =>
    [
      ["an honest loop", honestLoop()],
      ["a generator", GENERATOR],
      ["a class", CLASS],
      ["streams", STREAMING],
      ["requests made by timers", BY_TIMER],
    ].map(([style, text]) => [order, style, text] as const),
  ),
)("%s, %s holds two conversations, each with its own requests, tools and answers", async (order, _, text) => {
  const runs = await lab.runBeside(text as string, pair(), order);
  expect(runs.map(({ outcome, counts }) => ({ outcome, counts }))).toEqual([
    { outcome: "returned", counts: honest },
    { outcome: "returned", counts: honest },
  ]);
  for (const [mine, other, run] of [
    ["red", "blue", runs[0]],
    ["blue", "red", runs[1]],
  ] as const) {
    expect(requested(run)).toContain(`the ${mine} prompt`);
    expect(JSON.stringify(run?.trace)).not.toContain(other);
    expect(run?.trace.find((event) => event.type === "tool-call")).toMatchObject({ name: `look_${mine}` });
    expect(JSON.stringify(run?.trace.at(-1))).toContain(`${mine} is well`);
  }
});

test("a run knows the conversations that had begun before it ended", async () => {
  const names = (runs: readonly Run[]) => runs.map(({ beside }) => beside.map(({ name }) => name));
  expect(names(await lab.runBeside(honestLoop(), pair(), "at-once"))).toEqual([["blue"], ["red"]]);
  expect(names(await lab.runBeside(honestLoop(), pair(), "in-turn"))).toEqual([[], ["red"]]);
  expect((await lab.run(honestLoop())).beside).toEqual([]);
});

test("the first alone, the others at once when it has settled: each with its own, and none begins early", async () => {
  const trio = (does = {}) => (["red", "blue", "green"] as const).map((name) => of(name, does));
  const runs = await lab.runBeside(honestLoop(), trio(), "first-alone");
  expect(runs.map(({ outcome, counts }) => ({ outcome, counts }))).toEqual(
    runs.map(() => ({ outcome: "returned", counts: honest })),
  );
  const besides = runs.map(({ beside }) => beside.map(({ name }) => name));
  expect(besides).toEqual([[], ["red", "green"], ["red", "blue"]]);
  for (const [n, name] of (["red", "blue", "green"] as const).entries()) {
    expect(requested(runs[n])).toContain(`the ${name} prompt`);
  }
  expect(await lab.runBeside(honestLoop(), trio({ red: { hangs: true } }), "first-alone")).toHaveLength(1);
});

test.each(BOTH)("messages kept at the module's level carry one conversation into the other: %s", async (order) => {
  const shared = honestLoop("", "const messages: any[] = [];").replace(
    'const messages: any[] = [{ role: "user", content: userInput }];',
    'messages.push({ role: "user", content: userInput });',
  );
  const [red, blue] = await lab.runBeside(shared, pair(), order);
  expect(requested(blue)).toContain("the red prompt");
  expect(requested(red).includes("the blue prompt")).toBe(order === "at-once");
  expect(blue?.beside.map(({ name }) => name)).toEqual(["red"]);
});

/** Two conversations that meet in what the module keeps, each for as long as it has nothing to wait for. */
const MEETING = honestLoop("", "const steps: string[] = [];").replace(
  "const result = await executeTool(block.name, block.input);",
  `const result = await executeTool(block.name, block.input);
      for (let i = 0; i < 50; i++) {
        steps.push(block.name);
        await null;
      }
      console.log(steps.filter((name, i) => name !== steps[i - 1]).join());`,
);

test("conversations at once get their answers one by one: what they do between two questions is never mixed", async () => {
  for (let time = 1; time <= 5; time++) {
    const runs = await lab.runBeside(MEETING, pair(), "at-once");
    expect(runs.map(({ printed }) => printed.head)).toEqual([["look_red"], ["look_red,look_blue"]]);
  }
});

test("a conversation that hangs is stalled; the one beside it goes on to its end", async () => {
  for (const does of [{ red: { hangs: true } }, { blue: { hangs: true } }]) {
    const runs = await lab.runBeside(honestLoop(), pair(does), "at-once");
    const hanging = "red" in does ? 0 : 1;
    expect(runs[hanging]).toMatchObject({ outcome: "stalled", kind: "never-settles" });
    expect(runs[1 - hanging]).toMatchObject({ outcome: "returned", counts: honest });
  }
});

test("in turn, none begins after one that does not settle", async () => {
  const runs = await lab.runBeside(honestLoop(), pair({ red: { hangs: true } }), "in-turn");
  expect(runs.map(({ scenario, outcome }) => [scenario.name, outcome])).toEqual([["red", "stalled"]]);
});

test("in turn, one that throws has settled", async () => {
  const throwing = honestLoop('if (userInput === "the red prompt") throw new Error("not mine");');
  const runs = await lab.runBeside(throwing, pair(), "in-turn");
  expect(runs.map(({ outcome }) => outcome)).toEqual(["threw", "returned"]);
});

test("a conversation that is proven to loop is answered no more; the one beside it is", async () => {
  const stale = honestLoop().replace(
    "    response = await callModel({ messages, tools });\n  }",
    `    if (userInput === "the blue prompt") response = await callModel({ messages, tools });
    else await callModel({ messages, tools });
  }`,
  );
  const before = lab.sandbox.children;
  const runs = await lab.runBeside(stale, pair(), "at-once");
  expect(runs[0]).toMatchObject({ outcome: "looped", kind: "missing-reassignment" });
  expect(runs[1]).toMatchObject({ outcome: "returned", counts: honest });
  expect(await lab.runBeside(stale, pair(), "in-turn")).toHaveLength(1);
  expect((await lab.run(honestLoop())).outcome).toBe("returned");
  expect(lab.sandbox.children).toBeLessThanOrEqual(Math.max(before, 1));
});

test("what ends the process ends every conversation that has not settled", async () => {
  const spinning = honestLoop('if (userInput === "the blue prompt") for (;;) await null;');
  const runs = await lab.runBeside(spinning, pair(), "at-once");
  expect(runs.map(({ kind }) => kind)).toEqual(["busy-loop", "busy-loop"]);
  const leaving = honestLoop('if (userInput === "the blue prompt") process.exit(3);');
  const inTurn = await lab.runBeside(leaving, pair(), "in-turn");
  expect(inTurn.map(({ outcome, kind }) => [outcome, kind])).toEqual([
    ["returned", null],
    ["crashed", "exited"],
  ]);
});

test("a stray error after all have settled is put down to the conversation it came from", async () => {
  const stray = honestLoop(
    'if (userInput === "the red prompt") setTimeout(() => { throw new Error("stray"); }, 60_000);',
  ).replace("return response;", "await new Promise((done) => setTimeout(done, 10));\n  return response;");
  const runs = await lab.runBeside(stray, pair(), "at-once");
  // The clock stands still once all is quiet: a timer that is left over throws nothing.
  expect(runs.map(({ outcome }) => outcome)).toEqual(["returned", "returned"]);
  const rejected = honestLoop().replace(
    "return response;",
    `if (userInput === "the red prompt") {
    await new Promise((done) => setTimeout(done, 10));
    void callModel({ messages, tools }).then(() => { throw new Error("stray"); });
  }
  return response;`,
  );
  const late = await lab.runBeside(rejected, pair(), "at-once");
  expect(late.map(({ outcome, kind }) => [outcome, kind])).toEqual([
    ["crashed", "uncaught"],
    ["returned", null],
  ]);
});

test("what is printed stands under the conversation that printed it", async () => {
  const printing = honestLoop("console.log(userInput);").replace(
    "return response;",
    `console.log(userInput, "done");\n  return response;`,
  );
  const runs = await lab.runBeside(printing, pair(), "at-once");
  expect(runs.map(({ printed }) => printed.head)).toEqual([
    ["the red prompt", "the red prompt done"],
    ["the blue prompt", "the blue prompt done"],
  ]);
});

test("what the module itself asks belongs to the first conversation that has not settled", async () => {
  const early = honestLoop("", 'const hello = callModel({ messages: [{ role: "user", content: "hello" }] });');
  const runs = await lab.runBeside(early, pair(), "at-once");
  expect(runs.map(({ counts }) => counts.callModel)).toEqual([3, 2]);
  expect(requested(runs[0])).toContain("hello");
});

test("a module that cannot be loaded fails every conversation that asks for it", async () => {
  const runs = await lab.runBeside(honestLoop("", 'throw new Error("at the top");'), pair(), "at-once");
  expect(runs.map(({ outcome, error }) => [outcome, error?.message])).toEqual([
    ["threw", "at the top"],
    ["threw", "at the top"],
  ]);
});

test("a conversation that the child was not given breaks the channel", async () => {
  const forging = (message: string) => `import { writeSync } from "node:fs";
export async function runAgent() { writeSync(3, ${JSON.stringify(message)}.replace("RUN", String(run)) + "\\n"); }
const run = Number(/\\/\\/(\\d+)$/.exec(Buffer.from(import.meta.url.split(",")[1], "base64").toString())?.[1]);`;
  const tool = '{"t":"tool","run":RUN,"conversation":7,"id":1,"name":"look","input":{}}';
  const began = '{"t":"began","run":RUN,"conversation":1}';
  for (const message of [tool, began]) {
    const run = await lab.run(forging(message));
    expect(run).toMatchObject({ outcome: "crashed", kind: "exited", measured: { brokenChannel: 1 } });
  }
});

test("the child serves the next run after several conversations", async () => {
  await lab.run(honestLoop());
  const before = lab.sandbox.children;
  await lab.runBeside(honestLoop(), pair(), "at-once");
  await lab.runBeside(honestLoop(), pair(), "in-turn");
  expect((await lab.run(honestLoop())).counts).toEqual(honest);
  expect(lab.sandbox.children).toBe(before);
});
