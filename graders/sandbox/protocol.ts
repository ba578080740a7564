/**
 * What parent and child say to each other: newline-delimited JSON on fd 3, one message a line.
 * The parent believes nothing of what comes up: a message is student behaviour, never a verdict.
 */

/** `code` of the errors that the child's lockdown throws: by it the parent knows a run that a refusal has ended. */
export const BLOCKED_CODE = "ERR_BUCLE_BLOCKED";

/** Argument of a child whose code is trusted by its user. */
export const TRUSTED = "--trusted";

/** What `runAgent` is called with, in one conversation. `options` is its third argument; none is given when both are null. */
export interface Opening {
  userInput: string;
  tools: unknown[];
  options: { abortAfterMs: number | null; budget: number | null };
}

/**
 * Conversations of one import: they begin together, or each when the one before has settled and all is quiet, or the others
 * together when the first has.
 */
export type Order = "at-once" | "in-turn" | "first-alone";

/** The conversations in rounds: those of one begin together, when all before have settled. */
export function roundsOf<T>(order: Order, all: readonly T[]): T[][] {
  if (order === "in-turn") return all.map((each) => [each]);
  const rounds = order === "at-once" ? [all] : [all.slice(0, 1), all.slice(1)];
  return rounds.filter(({ length }) => length > 0).map((round) => [...round]);
}

/** Parent to child. */
export type Down =
  | {
      t: "run";
      run: number;
      code: string;
      export: string;
      /** Names of all that can be run, whichever conversation offers it. */
      toolkit: string[];
      order: Order;
      conversations: Opening[];
    }
  /** `pieces`: lengths in bytes of the pieces that the body arrives in; none where it arrives as one. */
  | { t: "http"; id: number; status: number; headers: Record<string, string>; body: string; pieces: readonly number[] }
  /** The sandbox refuses the request: a network error for the student. */
  | { t: "refused"; id: number }
  | { t: "tool"; id: number; afterMs: number; value?: unknown; error?: string }
  /** No answer to `id` will ever come: nothing real is outstanding for it. */
  | { t: "never"; id: number }
  /** A conversation is over, whatever it still waits for. When the others are too (null: all are now), get quiet and say so. */
  | { t: "park"; conversation: number | null };

/** Child to parent. `run` is the run it belongs to, `conversation` the index of the conversation in it. */
export type Up =
  | { t: "ready" }
  | {
      t: "http";
      run: number;
      conversation: number;
      id: number;
      method: string;
      url: string;
      headers: Record<string, string>;
      body: string;
      /** The `id`s of tools that had been begun and had not come back to the code that began them. */
      underWay: readonly number[];
      at: string | null;
    }
  | {
      t: "tool";
      run: number;
      conversation: number;
      id: number;
      name: string;
      input: unknown;
      /** The function that a stand-in stood in for, where it is not known to be a tool's. */
      standIn?: string;
      at: string | null;
    }
  | { t: "print"; run: number; conversation: number; text: string; droppedLines: number }
  | {
      t: "blocked";
      run: number;
      conversation: number;
      what: "network" | "filesystem" | "process";
      detail: string;
      at: string | null;
    }
  /** A conversation that was waiting for its turn begins. The first, or all at once, begin with the run. */
  | { t: "began"; run: number; conversation: number }
  /** The signal that this conversation was given fires. */
  | { t: "aborted"; run: number; conversation: number }
  | {
      t: "settled";
      run: number;
      conversation: number;
      how: "returned" | "threw";
      value: unknown;
      error: UpError | null;
    }
  /** Something escaped: an uncaught error or an unhandled rejection. */
  | { t: "uncaught"; run: number; conversation: number; error: UpError }
  | { t: "exit"; run: number; conversation: number; code: string; at: string | null }
  /** The event loop has turned: a program that computes for long, but in steps, is no spin. */
  | { t: "alive"; run: number }
  /** The loop guard's finding; the child has stopped itself. `full`: of memory, by what few passes keep. */
  | { t: "busy"; run: number; site: number; cpuMs: number; hits: number; full: boolean }
  /** So many timers fired and nothing else happened; the child waits. */
  | { t: "idle"; run: number; fired: number }
  /** Nothing outstanding, no timer left, and not all settled. */
  | { t: "stalled"; run: number }
  /** Settled or parked, and nothing left to do. `clean`: no timer forgotten, no global changed. */
  | { t: "quiet"; run: number; clean: boolean };

export interface UpError {
  name: string;
  message: string;
  stack: string;
  /** `code` and `permission` of Node's own refusals. */
  code: string | null;
  permission: string | null;
}
