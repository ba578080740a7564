/**
 * Runs a compiled submission against a scenario in a child process and tells what happened. It judges nothing and knows
 * no diagnosis by name: `stopWhen` says when a run has shown enough, and the run is parked: its next answer never comes.
 */

import type { ToolsSeen } from "../model/conversation.ts";
import type { Trace } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Program } from "./compile/program.ts";
import { holdConversations } from "./conversations.ts";
import { WALL_MS } from "./limits.ts";
import type { Order } from "./protocol.ts";
import { type Seat, sit } from "./seat.ts";
import { dropSpare, startSpare, takeChild } from "./spare.ts";
import { LAYERS, spawnChild, TRUSTED_LAYERS, type Trusted } from "./spawn.ts";

export interface RunRequest {
  program: Program;
  /** Name of the exported function to call. */
  entry: string;
  scenario: Scenario;
  /** The kind of `looped` once the trace proves it, else null. Called after each event. */
  stopWhen(trace: Trace): string | null;
  /** How it is known that a tool has run: by its call, unless said otherwise. */
  toolsSeen?: ToolsSeen;
  /** Keep every printed line. */
  keepAllOutput?: boolean;
  /** Give it a small part of the wall-clock limit only. */
  shortWall?: boolean;
}

/** Several conversations with one import of a program, to see whether they keep out of each other's way. */
export interface BesideRequest extends Omit<RunRequest, "scenario" | "stopWhen"> {
  scenarios: readonly Scenario[];
  /** Which begin together, and which only when others have settled. */
  order: Order;
  stopWhen(trace: Trace, scenario: Scenario): string | null;
}

export interface Sandbox {
  /** Never rejects for anything a submission does; rejects when the kit itself fails. */
  run(request: RunRequest): Promise<Run>;
  /**
   * Calls `entry` once for each scenario, the module being imported once. What ends the process, or all that goes on in
   * it, ends every conversation that has not settled.
   * @returns the runs of the conversations that began, in order: no round begins after one that does not settle
   */
  runBeside(request: BesideRequest): Promise<Run[]>;
  /** Ends every child; resolves when they are gone. */
  close(): Promise<void>;
  /** Children started so far: one, while runs leave theirs as they found it. */
  readonly children: number;
  /** What stands between the code that is run and this machine, for the report. */
  readonly layers: readonly string[];
}

export interface SandboxOptions {
  /** The bundled runtime. */
  runtime: string;
  /** Wall-clock limit of a run, ms. */
  wallMs?: number;
  /**
   * The code is the user's own: its child may do on this machine what they may, in their folder, but reaches no network
   * and holds no secret of theirs. Its program may import `file:` URLs; such a module is loaded once for all runs of a
   * child. (A process or a thread that it starts is not watched.)
   */
  trusted?: Trusted;
}

/** A run that takes longer than this may end badly: a spare is started meanwhile. No verdict hangs on it. */
const SPARE_AFTER_MS = 200;
/** By how much a short wall-clock limit is smaller. */
const SHORT_WALL = 10;

export function createSandbox({ runtime, wallMs = WALL_MS, trusted }: SandboxOptions): Sandbox {
  let seat: Seat | null = null;
  let number = 0;
  let closed = false;
  let children = 0;

  const freshSeat = () => {
    children += 1;
    return sit(trusted ? spawnChild(runtime, trusted) : takeChild(runtime));
  };
  const runBeside = async ({ shortWall, ...held }: BesideRequest) => {
    if (closed) throw new Error("The sandbox is closed");
    if (seat && !(await seat.reusable())) {
      seat.child.kill();
      seat = null;
    }
    seat ??= freshSeat();
    await seat.ready;
    number += 1;
    const warm = trusted ? undefined : setTimeout(() => startSpare(runtime), SPARE_AFTER_MS);
    try {
      return await holdConversations(seat, number, held, shortWall ? wallMs / SHORT_WALL : wallMs);
    } finally {
      clearTimeout(warm);
    }
  };

  return {
    run: async ({ scenario, ...request }) => {
      const [run] = await runBeside({ ...request, scenarios: [scenario], order: "in-turn" });
      if (run === undefined) throw new Error("The sandbox made no run");
      return run;
    },
    runBeside,
    close: async () => {
      closed = true;
      const last = seat;
      seat = null;
      last?.child.kill();
      if (!trusted) dropSpare();
      await last?.child.gone;
    },
    get children() {
      return children;
    },
    layers: trusted ? TRUSTED_LAYERS : LAYERS,
  };
}
