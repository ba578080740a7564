/**
 * Everything that shares a process with a student's code, and the module that their `#harness` and SDK imports reach.
 * It asks, relays and returns; it holds no script, no count and no verdict.
 */
import "./prepare.ts";

import { client, connectToolkit, type ToolOptions } from "../../../exercises/harness.ts";
import { FAREWELL_MS, IDLE_TIMERS, SILENCE_MS } from "../limits.ts";
import { BLOCKED_CODE, type Down, type Opening, roundsOf, TRUSTED } from "../protocol.ts";
import { clock, forgottenTimers, nextTimerIn, realSetImmediate, resetClock } from "./clock.ts";
import {
  conversation,
  conversationSettled,
  inConversation,
  leaveConversations,
  openConversations,
} from "./conversation.ts";
import { guardRun } from "./guard.ts";
import { watchHealth } from "./health.ts";
import { interceptRun } from "./intercept.ts";
import { lockDown } from "./lockdown.ts";
import { markSdk } from "./mark-sdk.ts";
import { watchSilence } from "./motor.ts";
import { answerOneByOne, ask, forgetQuestions, handOn, hasArrived, hold, isAsking, listen, send } from "./pipe.ts";
import { reallyExit } from "./primordials.ts";
import { capturePrinting, flush, startPrinting } from "./print.ts";
import { knowTools } from "./stand-ins.ts";
import { forgetTools, toolBegins, toolComesBack } from "./under-way.ts";
import { toError, toPlain } from "./value.ts";
import { studentFrames } from "./where.ts";

export * from "@anthropic-ai/sdk";
export { Anthropic as default } from "@anthropic-ai/sdk";
export * from "@anthropic-ai/sdk/helpers/beta/json-schema";
export * from "../../../exercises/harness.ts";
export { guard } from "./guard.ts";
export { markSdk, markSdkOf } from "./mark-sdk.ts";
export { standIns } from "./stand-ins.ts";

interface CurrentRun {
  run: number;
  parked: boolean;
  timersInARow: number;
  /** How many conversations have begun and go on. */
  open: number;
  /** Those that go on no more, by index: settled, or parked by the parent. */
  over: Set<number>;
  /** Whether one was parked while others went on. */
  asleep: boolean;
  /** Those that have not begun, in rounds. */
  waiting: (() => void)[][];
  /** Something of the project's stays open, whatever else ends. */
  keptAwake: boolean;
}

let current: CurrentRun | null = null;
let lastRun = 0;
/** The picture is taken before the first run, not while this module still loads: Node itself listens until then. */
let healthy: (() => boolean) | null = null;
/** Whether that picture shows the packages of a trusted project. */
let withPackages = false;
const runNumber = () => current?.run ?? lastRun;
const here = () => ({ run: runNumber(), conversation: conversation() });

function start(command: Extract<Down, { t: "run" }>): void {
  const { conversations, toolkit, order } = command;
  const mine: CurrentRun = {
    run: command.run,
    parked: false,
    timersInARow: 0,
    open: 0,
    over: new Set(),
    asleep: false,
    waiting: [],
    keptAwake: false,
  };
  healthy ??= watchHealth();
  current = mine;
  lastRun = mine.run;
  forgetQuestions();
  forgetTools();
  resetClock();
  startPrinting(mine.run);
  connectToolkit(
    Object.fromEntries(
      toolkit.map((name) => [name, (input: unknown, options?: ToolOptions) => runTool(name, input, options)]),
    ),
  );
  knowTools(
    conversations.flatMap(({ tools }) => tools),
    (name, input, standIn) => runTool(name, input, {}, standIn),
  );
  openConversations(conversations.length);
  hold(false);
  // From inside a task of its own, so that the student's first code does not run within the pipe's.
  realSetImmediate(() => {
    const module = load(command);
    module.catch(() => {}); // each conversation tells
    const starts = conversations.map((opening, index) => () => begin(mine, command, module, opening, index));
    mine.waiting = roundsOf(order, starts);
    nextRound(mine);
  });
}

function nextRound({ waiting }: CurrentRun): void {
  const starts = waiting.shift() ?? [];
  answerOneByOne(starts.length > 1);
  for (const start of starts) start();
}

/**
 * Told by a project's program before its first line. Packages are loaded once for all runs of a child, and what they put
 * among the globals (registries, mostly) is theirs: it is there to stay, and no run's doing.
 */
export function packagesLoaded(): void {
  if (!trusted || withPackages) return;
  withPackages = true;
  healthy = watchHealth();
}

async function load(command: Extract<Down, { t: "run" }>): Promise<Record<string, unknown>> {
  // The number makes each import a fresh module: Node caches by URL.
  const source = Buffer.from(`${command.code}\n//${command.run}`).toString("base64");
  return import(`data:text/javascript;base64,${source}`);
}

function begin(
  mine: CurrentRun,
  command: Extract<Down, { t: "run" }>,
  module: Promise<Record<string, unknown>>,
  opening: Opening,
  index: number,
): void {
  mine.open += 1;
  if (command.order !== "at-once" && index > 0) send({ t: "began", run: mine.run, conversation: index });
  const converse = async () => {
    const run = loopOf(exportOf(await module, command.export), command.export);
    const more = moreFor(mine, index, opening.options);
    try {
      return await drain(await run(opening.userInput, opening.tools, ...more.args));
    } finally {
      more.end();
    }
  };
  void inConversation(index, converse).then(
    (value) => settle(mine, index, "returned", value),
    (error: unknown) => settle(mine, index, "threw", error),
  );
}

/** The third argument of a conversation that is to be given one, and what takes its timer away. */
function moreFor(mine: CurrentRun, index: number, { abortAfterMs, budget }: Opening["options"]) {
  if (abortAfterMs === null && budget === null) return { args: [], end: () => {} };
  const options: { signal?: AbortSignal; budget?: number } = {};
  if (budget !== null) options.budget = budget;
  if (abortAfterMs === null) return { args: [options], end: () => {} };
  const controller = new AbortController();
  options.signal = controller.signal;
  const timer = clock.setTimeout(() => {
    happened();
    send({ t: "aborted", run: mine.run, conversation: index });
    controller.abort();
  }, abortAfterMs);
  return { args: [options], end: () => clock.clearTimeout(timer) };
}

/** Of a CommonJS module an import has the default alone, with all its exports in it. */
function exportOf(module: Record<string, unknown>, name: string): unknown {
  return module[name] ?? (module.default as Record<string, unknown> | undefined)?.[name];
}

type Loop = (userInput: string, tools: unknown, ...more: unknown[]) => unknown;

/** The function to call: the export itself, or the `runAgent` of the object or class that it is: of a class, a new one each time. */
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

function settle(mine: CurrentRun, index: number, how: "returned" | "threw", what: unknown): void {
  if (current !== mine || mine.over.has(index)) return;
  const from = { run: mine.run, conversation: index };
  if (how === "returned") send({ t: "settled", ...from, how, value: toPlain(what), error: null });
  else send({ t: "settled", ...from, how, value: null, error: toError(what) });
  ends(mine, index);
}

function ends(mine: CurrentRun, index: number): void {
  if (mine.over.has(index)) return;
  mine.over.add(index);
  mine.open -= 1;
  conversationSettled(index);
}

/** `executeTool`, the toolkit's functions and stand-ins: the parent runs the tool; its time is virtual. */
async function runTool(name: string, input: unknown, options?: ToolOptions, standIn?: string): Promise<unknown> {
  happened();
  const at = studentFrames();
  const plain = toPlain(input);
  const signal = options?.signal;
  signal?.throwIfAborted(); // nothing is begun for one who has given up
  let question = 0;
  const works = async () => {
    const answer = await ask((id) => {
      question = id;
      toolBegins(id);
      return { t: "tool", ...here(), id, name, input: plain, standIn, at };
    });
    happened();
    if (answer.t !== "tool") throw new Error("unreachable");
    if (answer.afterMs > 0) await new Promise<void>((resolve) => clock.setTimeout(() => resolve(), answer.afterMs));
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  };
  try {
    return await (signal ? Promise.race([works(), aborted(signal)]) : works());
  } finally {
    toolComesBack(question);
  }
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

/** A trusted project has been silent, with something open: after a while that is as good as an empty event loop. */
function silentFor(ms: number): boolean {
  if (current === null || isAsking()) return false;
  if (hasArrived()) {
    handOn();
    return true;
  }
  const hasEnded = current.parked || current.open === 0;
  const patience = hasEnded ? FAREWELL_MS : Math.min(nextTimerIn() ?? SILENCE_MS, SILENCE_MS);
  if (ms < patience) return false;
  current.keptAwake = true;
  eventLoopIsEmpty();
  return true;
}

/** Nothing is left to do in this turn, and no answer is outstanding: the motor of virtual time, and the end of a run. */
function eventLoopIsEmpty(): void {
  if (current === null) {
    hold(true);
  } else if (hasArrived()) {
    realSetImmediate(handOn);
  } else if (current.parked || (current.open === 0 && current.waiting.length === 0)) {
    const { run, asleep, parked, keptAwake } = current;
    if (asleep) putToSleep();
    // What was put to sleep may hold up a queue in a package, which is the next run's too.
    const holdsUp = withPackages && (asleep || parked);
    const clean = forgottenTimers() === 0 && !holdsUp && !keptAwake && healthy?.() === true;
    current = null;
    leaveConversations();
    hold(true);
    send({ t: "quiet", run, clean });
  } else if (current.open === 0) {
    realSetImmediate(nextRound, current);
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

function park(mine: CurrentRun, index: number | null): void {
  if (index === null) {
    mine.parked = true;
    putToSleep();
    hold(false);
  } else {
    mine.asleep = true;
    ends(mine, index);
  }
}

/** A request that is never answered leaves the SDK's own deadline behind; nothing that was parked may wake again. */
function putToSleep(): void {
  forgetQuestions();
  resetClock();
}

const trusted = process.argv[2] === TRUSTED;

process.exit = ((code?: number) => {
  send({ t: "exit", ...here(), code: String(code ?? process.exitCode ?? 0), at: studentFrames() });
  reallyExit(0);
}) as typeof process.exit;
/** An error that nobody waited for. */
function strayed(error: unknown): void {
  // As of telemetry: with a network it would have gone well, and that it was refused is known already.
  if (trusted && isRefusal(error)) return;
  send({ t: "uncaught", ...here(), error: toError(error) });
  hold(true);
}

process.on("uncaughtException", strayed);
if (trusted) {
  // Node makes an uncaught exception of it, and leaves an immediate behind; it does not where there is a listener.
  process.on("unhandledRejection", (error) => {
    if (process.listenerCount("unhandledRejection") === 1) strayed(error);
  });
}
process.on("beforeExit", eventLoopIsEmpty);
if (trusted) watchSilence(silentFor);
process.on("exit", flush);

/** What MSW's `fetch` and its requests of `node:http` say when there is no response. */
const NO_NETWORK = /^(Failed to fetch|Network error)$/;

/** Whether an error is what comes of reaching for the network here. */
function isRefusal(error: unknown): boolean {
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown };
  if (code === BLOCKED_CODE || (typeof message === "string" && NO_NETWORK.test(message))) return true;
  return cause !== undefined && isRefusal(cause);
}

markSdk(client);
capturePrinting();
interceptRun(() => {
  happened();
  return here();
});
guardRun(runNumber);
process.argv.length = Math.min(process.argv.length, 2);
lockDown(
  (what, detail) => send({ t: "blocked", ...here(), what, detail, at: studentFrames() }),
  trusted ? "network" : null,
);

listen((command) => {
  if (command.t === "run") start(command);
  if (command.t === "park" && current) park(current, command.conversation);
});
hold(true);
send({ t: "ready" });
