import { expect, test } from "vitest";
import type { Trace } from "../trace/events.ts";
import { honestLoop, openLab, scenarioOf, twoTurns } from "./testing/lab.ts";

const lab = openLab();
const types = (trace: Trace) => trace.map(({ type }) => type);

/** A tool that takes ten virtual seconds, in a conversation that is given up after `abortAfterMs`. */
function slow(options: { abortAfterMs?: number; budget?: number }, does: object = SLOW) {
  return scenarioOf({
    options,
    replies: [{ calls: [{ tool: "look", input: { at: "a" }, does }] }, { text: "all is well {{nonce}}" }],
  });
}
const SLOW = { returns: "seen {{nonce}}", takesMs: 10_000 };

/** A loop that gives the signal on to the model and to the tools. */
const LISTENING = honestLoop()
  .replace("tools: Tool[])", "tools: Tool[], { signal }: { signal: AbortSignal })")
  .replaceAll("callModel({ messages, tools })", "callModel({ messages, tools }, { signal })")
  .replace("executeTool(block.name, block.input)", "executeTool(block.name, block.input, { signal })");

test("without options runAgent gets two arguments, with them a third that holds what the scenario names", async () => {
  const telling = `export async function runAgent(...given: any[]) {
  return { given: given.length, keys: Object.keys(given[2] ?? {}), budget: given[2]?.budget, aborted: given[2]?.signal?.aborted };
}`;
  const told = async (scenario = twoTurns()) => (await lab.run(telling, scenario)).trace.at(-1);
  expect(await told()).toMatchObject({ value: { given: 2 } });
  expect(await told(slow({ budget: 500 }))).toMatchObject({ value: { given: 3, keys: ["budget"], budget: 500 } });
  expect(await told(slow({ abortAfterMs: 50 }))).toMatchObject({
    value: { given: 3, keys: ["signal"], aborted: false },
  });
  expect(await told(slow({ abortAfterMs: 50, budget: 9 }))).toMatchObject({
    value: { keys: ["budget", "signal"], budget: 9 },
  });
});

test("the signal fires in virtual time, while a tool is at work, and the tool that was given it gives up", async () => {
  const run = await lab.run(LISTENING, slow({ abortAfterMs: 4000 }));
  expect(types(run.trace)).toEqual(["request", "reply", "tool-call", "tool-result", "abort", "settled"]);
  expect(run).toMatchObject({ outcome: "threw", error: { name: "AbortError" } });
});

test("a hanging tool ends with the signal", async () => {
  const run = await lab.run(LISTENING, slow({ abortAfterMs: 4000 }, { hangs: true }));
  expect(types(run.trace)).toEqual(["request", "reply", "tool-call", "tool-result", "abort", "settled"]);
});

test("a loop that ignores the signal goes on after it", async () => {
  const run = await lab.run(honestLoop(), slow({ abortAfterMs: 4000 }));
  expect(types(run.trace)).toEqual([
    "request",
    "reply",
    "tool-call",
    "tool-result",
    "abort",
    "request",
    "reply",
    "settled",
  ]);
  expect(run.outcome).toBe("returned");
});

test("a signal that fires later than the loop settles never fires, and costs the child nothing", async () => {
  expect(types((await lab.run(LISTENING, slow({ abortAfterMs: 60_000 }))).trace)).not.toContain("abort");
  const before = lab.sandbox.children;
  expect((await lab.run(honestLoop())).outcome).toBe("returned");
  expect(lab.sandbox.children).toBe(before);
});

test("a tool or a request that is given a signal that has fired is not begun", async () => {
  const late = `import { callModel, executeTool } from "#harness";
export async function runAgent(userInput: string, tools: any, { signal }: any) {
  await new Promise((done) => signal.addEventListener("abort", done));
  const errors: string[] = [];
  const note = (error: any) => void errors.push(error.name);
  await executeTool("look", {}, { signal }).catch(note);
  await callModel({ messages: [{ role: "user", content: userInput }] }, { signal }).catch(note);
  await fetch("https://api.anthropic.com/v1/messages", { method: "POST", body: "{}", signal }).catch(note);
  return errors;
}`;
  const run = await lab.run(late, slow({ abortAfterMs: 4000 }));
  expect(types(run.trace)).toEqual(["abort", "settled"]);
  expect(run.trace.at(-1)).toMatchObject({
    value: ["AbortError", "APIUserAbortError", "AbortError"],
  });
});

test("beside one another, each conversation has a signal of its own", async () => {
  const one = (name: string, abortAfterMs: number) => ({ ...slow({ abortAfterMs }), name });
  for (const order of ["at-once", "in-turn"] as const) {
    const runs = await lab.runBeside(LISTENING, [one("soon", 4000), one("late", 60_000)], order);
    expect(runs.map(({ outcome, trace }) => [outcome, types(trace).includes("abort")])).toEqual([
      ["threw", true],
      ["returned", false],
    ]);
  }
});
