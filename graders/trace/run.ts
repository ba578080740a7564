import type { Spot, ThrownError, Trace } from "./events.ts";
import type { Scenario } from "./scenario.ts";

/** How a run ended. */
export type Outcome = "returned" | "threw" | "looped" | "stalled" | "crashed" | "blocked";

/**
 * What an exercise asks for and a loop may do otherwise elsewhere. `whole-history`: every request carries the whole
 * conversation, from the user's words on; nothing is trimmed. `text-alone`: `runAgent` returns the final text and nothing else
 * of what the model said.
 */
export type Demand = "whole-history" | "text-alone";

/** One submission's loop against one scenario, as the trusted parent saw it. */
export interface Run {
  scenario: Scenario;
  /** The other conversations that the same import of the submission held, before this one or at the same time. */
  beside: readonly Scenario[];
  /** Seen: this run did not go well, and the very same conversation does with an import of its own. */
  passesAlone?: true;
  trace: Trace;
  /** Most replies that the exercise allows of a conversation without end; null or left out where it names no number. */
  cap?: number | null;
  /** None where left out. */
  demands?: readonly Demand[];
  outcome: Outcome;
  /** Which kind of `looped`, `stalled`, `crashed` or `blocked`; null for `returned` and `threw`. */
  kind: string | null;
  /** Where it ended when that can be told: the spinning loop, the line that threw. */
  at: Spot | null;
  error: ThrownError | null;
  /** What was counted for the outcome: passes, timers, CPU milliseconds; for the message's sake. */
  measured: Readonly<Record<string, number>>;
  counts: Counts;
  printed: Printed;
  source: Source;
  /** Wall-clock milliseconds; never part of a verdict. */
  ms: number;
}

export interface Counts {
  /** Requests answered with a Message. */
  callModel: number;
  /** Tool calls seen by the parent. */
  executeTool: number;
  /** HTTP requests to the API: retries, rejections, faults, token counts and asides included. */
  httpRequests: number;
  /** Requests the model refused as not legal. */
  rejected: number;
  /** Scripted server failures met. */
  faulted: number;
  /** Messages of the conversation: the last answered request's effective history, and the reply to it. */
  messages: number;
}

/** What the student's code printed: head and tail, and how much was left out between them. */
export interface Printed {
  head: string[];
  tail: string[];
  omittedLines: number;
}

/** The student's files, for pointing at lines; never for a verdict. */
export interface Source {
  files: readonly { name: string; text: string }[];
}
