/**
 * Runs a compiled submission against a scenario in a child process and tells what happened. It judges nothing and knows
 * no diagnosis by name: `stopWhen` says when a run has shown enough, and the run is parked: its next answer never comes.
 */

import type { Spot, ThrownError, Trace } from "../trace/events.ts";
import type { Outcome, Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import { rewriteFrames, spotsOf } from "./compile/frames.ts";
import type { Program } from "./compile/program.ts";
import { IDLE_CPU_MS, MESSAGES, RSS_BYTES, SILENT_CPU_MS, START_MS, WALL_MS } from "./limits.ts";
import { USAGE_EVERY_MS, usage } from "./platform.ts";
import { collectPrinting } from "./printed.ts";
import { BLOCKED_CODE, type Up, type UpError } from "./protocol.ts";
import { dropSpare, startSpare, takeChild } from "./spare.ts";
import type { Child, Exit } from "./spawn.ts";
import { readUp } from "./up.ts";
import { wire } from "./wire.ts";

export interface RunRequest {
  program: Program;
  /** Name of the exported function to call. */
  entry: string;
  scenario: Scenario;
  /** The kind of `looped` once the trace proves it, else null. Called after each event. */
  stopWhen(trace: Trace): string | null;
  /** Keep every printed line. */
  keepAllOutput?: boolean;
  /** Give it a small part of the wall-clock limit only. */
  shortWall?: boolean;
}

export interface Sandbox {
  /** Never rejects for anything a submission does; rejects when the kit itself fails. */
  run(request: RunRequest): Promise<Run>;
  /** Ends every child; resolves when they are gone. */
  close(): Promise<void>;
  /** Children started so far: one, while runs leave theirs as they found it. */
  readonly children: number;
}

export interface SandboxOptions {
  /** The bundled runtime. */
  runtime: string;
  /** Wall-clock limit of a run, ms. */
  wallMs?: number;
}

/** After a parked run: how long its child may take to get quiet before a fresh one is taken instead. No verdict hangs on it. */
const QUIET_WITHIN_MS = 250;
/** A run that takes longer than this may end badly: a spare is started meanwhile. No verdict hangs on it. */
const SPARE_AFTER_MS = 200;
/** By how much a short wall-clock limit is smaller. */
const SHORT_WALL = 10;
/** After SIGINT: time for `--trace-sigint` to print where the thread was. */
const TRACE_MS = 400;

export function createSandbox({ runtime, wallMs = WALL_MS }: SandboxOptions): Sandbox {
  let seat: Seat | null = null;
  let number = 0;
  let closed = false;

  let children = 0;
  const freshSeat = () => {
    children += 1;
    return sit(takeChild(runtime));
  };

  return {
    run: async (request) => {
      if (closed) throw new Error("The sandbox is closed");
      if (seat && !(await seat.reusable())) {
        seat.child.kill();
        seat = null;
      }
      seat ??= freshSeat();
      await seat.ready;
      number += 1;
      const warm = setTimeout(() => startSpare(runtime), SPARE_AFTER_MS);
      try {
        return await runOnce(seat, number, request, request.shortWall ? wallMs / SHORT_WALL : wallMs);
      } finally {
        clearTimeout(warm);
      }
    },
    close: async () => {
      closed = true;
      const last = seat;
      seat = null;
      last?.child.kill();
      dropSpare();
      await last?.child.gone;
    },
    get children() {
      return children;
    },
  };
}

/** A child with somebody listening to it. */
interface Seat {
  child: Child;
  ready: Promise<void>;
  /** Whether the next run may use it; waits a moment for a parked run to get quiet. */
  reusable(): Promise<boolean>;
  /** Hands all that comes up to one run. */
  listen(listener: Listener): void;
  /** A run starts in it. */
  begin(): void;
}

interface Listener {
  message(message: Up | null): void;
  raw(stream: "stdout" | "stderr", text: string): void;
  exit(how: Exit): void;
}

const NOBODY: Listener = { message: () => {}, raw: () => {}, exit: () => {} };

function sit(child: Child): Seat {
  let listener = NOBODY;
  let state: "starting" | "quiet" | "busy" | "spoilt" = "starting";
  let onState: () => void = () => {};
  const become = (next: typeof state) => {
    if (state !== "spoilt") state = next;
    onState();
  };
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`The sandbox did not start within ${START_MS} ms`)), START_MS);
    onState = () => {
      clearTimeout(late);
      if (state === "spoilt") reject(new Error(`The sandbox could not start: ${startUpText}`));
      else resolve();
    };
  });
  ready.catch(() => {}); // awaited by the run; a spare that is dropped has nobody to tell
  let startUpText = "";
  let messages = 0;
  child.listen({
    line: (line) => {
      messages += 1;
      const message = line === null || messages > MESSAGES ? null : readUp(line);
      if (message?.t === "ready") return become("quiet");
      if (message?.t === "quiet") become(message.clean ? "quiet" : "spoilt");
      listener.message(message);
    },
    raw: (stream, text) => {
      if (state === "starting") startUpText = (startUpText + text).slice(-4000);
      listener.raw(stream, text);
    },
    exit: (how) => {
      become("spoilt");
      listener.exit(how);
    },
  });
  return {
    child,
    ready,
    reusable: async () => {
      if (state === "busy") {
        await new Promise<void>((resolve) => {
          const late = setTimeout(() => become("spoilt"), QUIET_WITHIN_MS);
          onState = () => {
            clearTimeout(late);
            resolve();
          };
        });
      }
      return state === "quiet" && !child.exited;
    },
    listen: (next) => {
      listener = next;
    },
    begin: () => {
      messages = 0;
      become("busy");
    },
  };
}

/** How a run ended, before it is put together. */
interface Ending {
  outcome: Outcome;
  kind: string | null;
  at?: Spot | null;
  error?: ThrownError | null;
  measured?: Record<string, number>;
}

function runOnce(seat: Seat, run: number, request: RunRequest, wallMs: number): Promise<Run> {
  const { program, scenario } = request;
  const { child } = seat;
  const talk = wire(scenario);
  const printing = collectPrinting(request.keepAllOutput);
  const started = performance.now();
  let rawErrors = "";

  return new Promise((resolve) => {
    let ended = false;
    let settled: Ending | null = null;
    let interrupted: Ending | null = null;
    let quickEnd: Ending | null = null;
    /** CPU time when the child last spoke at all, and when it last asked, printed or ended. */
    let lastWordCpuMs: number | null = null;
    let lastDeedCpuMs: number | null = null;
    let spoke = true;
    let acted = true;

    const spot = (at: string | null): Spot | null => {
      const [line, column] = (at ?? "").split(":").map(Number);
      return line && column ? program.locate(line, column) : null;
    };
    const thrown = (error: UpError): ThrownError => ({
      name: error.name,
      message: program.restoreNames(rewriteFrames(error.message, program)),
      stack: spotsOf(error.stack, program),
    });

    const end = (ending: Ending) => {
      if (ended) return;
      ended = true;
      clearInterval(watch);
      clearTimeout(deadline);
      seat.listen(afterwards);
      resolve({
        scenario,
        beside: [],
        trace: talk.trace,
        outcome: ending.outcome,
        kind: ending.kind,
        at: ending.at ?? null,
        error: ending.error ?? null,
        measured: ending.measured ?? {},
        counts: talk.counts(),
        printed: printing.end(),
        source: program.source,
        ms: Math.round(performance.now() - started),
      });
    };
    /** Ends the run for good: whatever the child still does is of no account. */
    const endAndKill = (ending: Ending) => {
      end(ending);
      child.kill();
    };
    /** After each event: has the run shown enough? */
    const parkedBy = (): boolean => {
      const kind = request.stopWhen(talk.trace);
      if (kind === null) return false;
      child.send({ t: "park" });
      end({ outcome: "looped", kind });
      return true;
    };

    const message = (up: Up | null) => {
      spoke = true;
      if (up?.t !== "alive") acted = true;
      if (up === null) return endAndKill({ outcome: "crashed", kind: "exited", measured: { brokenChannel: 1 } });
      if (!("run" in up) || up.run !== run) return;
      switch (up.t) {
        case "http":
        case "tool": {
          const answer = up.t === "http" ? talk.http(up, spot(up.at)) : talk.tool(up, spot(up.at));
          if (!parkedBy()) child.send(answer);
          return;
        }
        case "print":
          return printing.add(rewriteFrames(up.text, program), up.droppedLines);
        case "blocked":
          return void talk.add({ type: "blocked", what: up.what, detail: up.detail, at: spot(up.at) });
        case "settled": {
          const error = up.error ? thrown(up.error) : null;
          talk.add({ type: "settled", how: up.how, value: up.value, error });
          settled = {
            outcome: up.how,
            kind: null,
            at: error?.stack[0] ?? null,
            error,
            ...blockedBy(up.error, talk.trace),
          };
          return;
        }
        case "quiet":
          return settled ? end(settled) : undefined;
        case "uncaught": {
          const error = thrown(up.error);
          const refusal = blockedBy(up.error, talk.trace);
          return endAndKill({ outcome: "crashed", kind: "uncaught", at: error.stack[0] ?? null, error, ...refusal });
        }
        case "exit":
          quickEnd = { outcome: "crashed", kind: "exited", at: spot(up.at) };
          return;
        case "busy":
          quickEnd = {
            outcome: "looped",
            kind: "busy-loop",
            at: program.sites[up.site]?.spot ?? null,
            measured: { cpuMs: up.cpuMs, passes: up.hits },
          };
          return endAndKill(quickEnd);
        case "idle":
          return endAndKill({
            outcome: "looped",
            kind: "idle-loop",
            at: lastSpot(talk.trace),
            measured: { timers: up.fired },
          });
        case "alive":
          return;
        case "stalled":
          child.send({ t: "park" });
          return end({ outcome: "stalled", kind: "never-settles", at: lastSpot(talk.trace) });
      }
    };

    const exit = (how: Exit) => {
      if (interrupted) return end({ ...interrupted, at: spotsOf(rawErrors, program)[0] ?? null });
      if (quickEnd) return end(quickEnd);
      // V8 says so on stderr before it aborts.
      if (/heap out of memory|allocation failed/i.test(rawErrors))
        return end({ outcome: "crashed", kind: "out-of-memory" });
      end({ outcome: "crashed", kind: "exited", measured: how.code === null ? {} : { code: how.code } });
    };

    const raw = (stream: "stdout" | "stderr", text: string) => {
      if (rawErrors.length < 64_000) rawErrors += text;
      // Written past console, straight to the descriptor: shown all the same, but for V8's own last words.
      if (stream === "stdout") printing.add(rewriteFrames(text, program));
    };

    const interrupt = (ending: Ending) => {
      if (interrupted || ended) return;
      interrupted = ending;
      child.interrupt();
      setTimeout(() => {
        child.kill();
        if (!ended) end({ ...ending, at: spotsOf(rawErrors, program)[0] ?? null });
      }, TRACE_MS);
    };

    const look = async () => {
      const now = await usage(child.pid);
      if (now === null || ended) return;
      if (now.rssBytes > RSS_BYTES) return endAndKill({ outcome: "crashed", kind: "out-of-memory" });
      if (spoke || lastWordCpuMs === null) lastWordCpuMs = now.cpuMs;
      if (acted || lastDeedCpuMs === null) lastDeedCpuMs = now.cpuMs;
      spoke = false;
      acted = false;
      const idle = now.cpuMs - lastDeedCpuMs;
      if (now.cpuMs - lastWordCpuMs > SILENT_CPU_MS || idle > IDLE_CPU_MS) {
        interrupt({ outcome: "looped", kind: "busy-loop", measured: { cpuMs: idle } });
      }
    };
    const watch = setInterval(look, USAGE_EVERY_MS);
    const deadline = setTimeout(
      () => interrupt({ outcome: "stalled", kind: "out-of-time", measured: { limitMs: wallMs } }),
      wallMs,
    );

    /** A run that is over may only get quiet: anything else costs it its child. */
    const afterwards: Listener = {
      message: (up) => {
        if (up?.t === "quiet" || up?.t === "print") return;
        child.kill();
      },
      raw: () => {},
      exit: () => {},
    };

    seat.listen({ message, raw, exit });
    seat.begin();
    child.send({
      t: "run",
      run,
      code: program.code,
      export: request.entry,
      userInput: scenario.userInput,
      tools: [...scenario.tools],
    });
  });
}

/** Which refusal ended a run, if one did: Node's own (the permission model's) or the lockdown's. */
function blockedBy(error: UpError | null, trace: Trace): Pick<Ending, "outcome" | "kind"> | null {
  if (error === null) return null;
  if (error.code === BLOCKED_CODE || error.code === "ERR_ACCESS_DENIED") {
    return { outcome: "blocked", kind: REFUSED[error.permission ?? ""] ?? "process" };
  }
  const refusedRequest = trace.findLast((event) => event.type === "blocked" && event.what === "network");
  if (refusedRequest && /^(TypeError|APIConnectionError|FetchError)$/.test(error.name)) {
    return { outcome: "blocked", kind: "network" };
  }
  return null;
}

const REFUSED: Record<string, string> = {
  network: "network",
  filesystem: "filesystem",
  process: "process",
  FileSystemRead: "filesystem",
  FileSystemWrite: "filesystem",
  FileSystem: "filesystem",
  Net: "network",
};

/** The last line of the student's code that is known to have run. */
function lastSpot(trace: Trace): Spot | null {
  return trace.findLast((event) => "at" in event && event.at !== null)?.["at" as never] ?? null;
}
