/**
 * Everything that shares a process with a student's code, and the module that their `#harness` and SDK imports reach.
 * It asks, relays and returns; it holds no script, no count and no verdict.
 */
import "./prepare.ts";

import Anthropic from "@anthropic-ai/sdk";
import { client, connectToolkit, type ToolOptions } from "../../../exercises/harness.ts";
import { IDLE_TIMERS } from "../limits.ts";
import type { Down } from "../protocol.ts";
import { clock, realSetImmediate, resetClock } from "./clock.ts";
import { guardRun } from "./guard.ts";
import { watchHealth } from "./health.ts";
import { AT_HEADER, interceptRun } from "./intercept.ts";
import { lockDown } from "./lockdown.ts";
import { ask, forgetQuestions, hold, listen, send } from "./pipe.ts";
import { reallyExit } from "./primordials.ts";
import { capturePrinting, flush, startPrinting } from "./print.ts";
import { toError, toPlain } from "./value.ts";
import { studentFrame } from "./where.ts";

export * from "@anthropic-ai/sdk";
export { Anthropic as default } from "@anthropic-ai/sdk";
export * from "../../../exercises/harness.ts";
export { guard } from "./guard.ts";

interface CurrentRun {
  run: number;
  over: boolean;
  timersInARow: number;
}

let current: CurrentRun | null = null;
let lastRun = 0;
/** The picture is taken before the first run, not while this module still loads: Node itself listens until then. */
let healthy: (() => boolean) | null = null;
const runNumber = () => current?.run ?? lastRun;

function start(command: Extract<Down, { t: "run" }>): void {
  const mine: CurrentRun = { run: command.run, over: false, timersInARow: 0 };
  healthy ??= watchHealth();
  current = mine;
  lastRun = mine.run;
  forgetQuestions();
  resetClock();
  startPrinting(mine.run);
  const tools = command.tools as { name: string }[];
  connectToolkit(
    Object.fromEntries(
      tools.map(({ name }) => [name, (input: unknown, options?: ToolOptions) => runTool(name, input, options)]),
    ),
  );
  hold(false);
  // From inside a task of its own, so that the student's first code does not run within the pipe's.
  realSetImmediate(() => {
    void play(command).then(
      (value) => settle(mine, "returned", value),
      (error: unknown) => settle(mine, "threw", error),
    );
  });
}

async function play(command: Extract<Down, { t: "run" }>): Promise<unknown> {
  // The number makes each import a fresh module: Node caches by URL.
  const source = Buffer.from(`${command.code}\n//${command.run}`).toString("base64");
  const module = (await import(`data:text/javascript;base64,${source}`)) as Record<string, unknown>;
  const run = loopOf(module[command.export], command.export);
  return drain(await run(command.userInput, command.tools));
}

type Loop = (userInput: string, tools: unknown) => unknown;

/** The function to call: the export itself, or the `runAgent` of the object or class that it is. */
function loopOf(exported: unknown, name: string): Loop {
  const isClass = typeof exported === "function" && /^class\b/.test(Function.prototype.toString.call(exported));
  const owner = isClass ? new (exported as new () => unknown)() : exported;
  if (typeof owner === "function") return owner as Loop;
  const method = typeof owner === "object" && owner !== null ? (owner as { runAgent?: unknown }).runAgent : undefined;
  if (typeof method === "function") return (...args) => method.apply(owner, args);
  throw new TypeError(`The export \`${name}\` is ${owner === null ? "null" : typeof owner}, not a function`);
}

/** A generator is read to its end; anything else is the value itself. */
async function drain(value: unknown): Promise<unknown> {
  const iterator = asIterator(value);
  if (iterator === null) return value;
  const yielded: unknown[] = [];
  for (;;) {
    const step = await iterator.next();
    if (step.done) return { yielded, returned: step.value };
    yielded.push(step.value);
    if (yielded.length > 50) yielded.shift();
  }
}

function asIterator(value: unknown): AsyncIterator<unknown> | null {
  if (typeof value !== "object" || value === null) return null;
  const next = (value as { next?: unknown }).next;
  if (typeof next !== "function") return null;
  if (!(Symbol.asyncIterator in value || Symbol.iterator in value)) return null;
  return value as unknown as AsyncIterator<unknown>;
}

function settle(mine: CurrentRun, how: "returned" | "threw", what: unknown): void {
  if (current !== mine) return;
  if (how === "returned") send({ t: "settled", run: mine.run, how, value: toPlain(what), error: null });
  else send({ t: "settled", run: mine.run, how, value: null, error: toError(what) });
  mine.over = true;
}

/** `executeTool` and the toolkit's functions: the parent runs the tool; its time is virtual. */
async function runTool(name: string, input: unknown, options?: ToolOptions): Promise<unknown> {
  happened();
  const at = studentFrame();
  const plain = toPlain(input);
  const works = async () => {
    const answer = await ask((id) => ({ t: "tool", run: runNumber(), id, name, input: plain, at }));
    happened();
    if (answer.t !== "tool") throw new Error("unreachable");
    if (answer.afterMs > 0) await new Promise<void>((resolve) => clock.setTimeout(() => resolve(), answer.afterMs));
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  };
  const signal = options?.signal;
  return signal ? Promise.race([works(), aborted(signal)]) : works();
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function happened(): void {
  if (current) current.timersInARow = 0;
}

/** Nothing is left to do in this turn, and no answer is outstanding: the motor of virtual time, and the end of a run. */
function eventLoopIsEmpty(): void {
  if (current === null) {
    hold(true);
  } else if (current.over) {
    const { run } = current;
    const clean = clock.countTimers() === 0 && healthy?.() === true;
    current = null;
    hold(true);
    send({ t: "quiet", run, clean });
  } else if (clock.countTimers() > 0) {
    current.timersInARow += 1;
    if (current.timersInARow > IDLE_TIMERS) {
      const { run, timersInARow } = current;
      hold(true);
      send({ t: "idle", run, fired: timersInARow });
    } else {
      realSetImmediate(() => clock.next());
    }
  } else {
    hold(true);
    send({ t: "stalled", run: current.run });
  }
}

interface Options {
  headers?: Record<string, string>;
}

/** Lets the client's own methods carry the line that called them, in a header that goes no further than the relay. */
function markRequests(resource: object): void {
  const prototype = Object.getPrototypeOf(resource) as Record<string, (body: unknown, options?: Options) => unknown>;
  for (const name of ["create", "stream"]) {
    const original = prototype[name];
    if (original === undefined) continue;
    prototype[name] = function marked(this: unknown, body: unknown, options?: Options) {
      const at = studentFrame();
      if (at === null) return original.call(this, body, options);
      return original.call(this, body, { ...options, headers: { ...options?.headers, [AT_HEADER]: at } });
    };
  }
}

process.exit = ((code?: number) => {
  send({ t: "exit", run: runNumber(), code: String(code ?? process.exitCode ?? 0), at: studentFrame() });
  reallyExit(0);
}) as typeof process.exit;
process.on("uncaughtException", (error: unknown) => {
  send({ t: "uncaught", run: runNumber(), error: toError(error) });
  hold(true);
});
process.on("beforeExit", eventLoopIsEmpty);
process.on("exit", flush);

markRequests(client.messages);
markRequests(new Anthropic().beta.messages);
capturePrinting();
interceptRun(() => {
  happened();
  return runNumber();
});
guardRun(runNumber);
lockDown((what, detail) => send({ t: "blocked", run: runNumber(), what, detail, at: studentFrame() }));

listen((command) => {
  if (command.t === "run") start(command);
  if (command.t === "park" && current) {
    current.over = true;
    forgetQuestions();
    // A request that is never answered leaves the SDK's own deadline behind; nothing of a parked run may wake again.
    resetClock();
    hold(false);
  }
});
hold(true);
send({ t: "ready" });
