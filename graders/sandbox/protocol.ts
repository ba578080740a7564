/**
 * What parent and child say to each other: newline-delimited JSON on fd 3, one message a line.
 * The parent believes nothing of what comes up: a message is student behaviour, never a verdict.
 */

/** `code` of the errors that the child's lockdown throws: by it the parent knows a run that a refusal has ended. */
export const BLOCKED_CODE = "ERR_BUCLE_BLOCKED";

/** Parent to child. */
export type Down =
  | { t: "run"; run: number; code: string; export: string; userInput: string; tools: unknown[] }
  | { t: "http"; id: number; status: number; headers: Record<string, string>; body: string }
  /** The sandbox refuses the request: a network error for the student. */
  | { t: "refused"; id: number }
  | { t: "tool"; id: number; afterMs: number; value?: unknown; error?: string }
  /** No answer to `id` will ever come: nothing real is outstanding for it. */
  | { t: "never"; id: number }
  /** The run is over, whatever it still waits for: get quiet and say so. */
  | { t: "park" };

/** Child to parent. `run` is the run it belongs to. */
export type Up =
  | { t: "ready" }
  | {
      t: "http";
      run: number;
      id: number;
      method: string;
      url: string;
      headers: Record<string, string>;
      body: string;
      at: string | null;
    }
  | { t: "tool"; run: number; id: number; name: string; input: unknown; at: string | null }
  | { t: "print"; run: number; text: string; droppedLines: number }
  | { t: "blocked"; run: number; what: "network" | "filesystem" | "process"; detail: string; at: string | null }
  | { t: "settled"; run: number; how: "returned" | "threw"; value: unknown; error: UpError | null }
  /** Something escaped: an uncaught error or an unhandled rejection. */
  | { t: "uncaught"; run: number; error: UpError }
  | { t: "exit"; run: number; code: string; at: string | null }
  /** The event loop has turned: a program that computes for long, but in steps, is no spin. */
  | { t: "alive"; run: number }
  /** The loop guard's finding; the child has stopped itself. */
  | { t: "busy"; run: number; site: number; cpuMs: number; hits: number }
  /** So many timers fired and nothing else happened; the child waits. */
  | { t: "idle"; run: number; fired: number }
  /** Nothing outstanding, no timer left, and not settled. */
  | { t: "stalled"; run: number }
  /** Settled or parked, and nothing left to do. `clean`: no timer left, no global changed. */
  | { t: "quiet"; run: number; clean: boolean };

export interface UpError {
  name: string;
  message: string;
  stack: string;
  /** `code` and `permission` of Node's own refusals. */
  code: string | null;
  permission: string | null;
}
