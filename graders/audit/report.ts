import type { CodeFrame, RunGrade } from "../grading/grade.ts";
import type { Spot } from "../trace/events.ts";
import type { Text } from "../trace/text.ts";

/** What an audit found, as plain data: all that a report may know. */
export interface AuditReport {
  kit: string;
  seed: string;
  /** The file or the command that was audited, as it was given. */
  subject: string;
  /** A module's file, or a program of its own. */
  kind: "file" | "command";
  /** Names of the sandbox layers that were on. */
  layers: readonly string[];
  /** Where its requests went: `https://api.anthropic.com/v1/messages`. What else there may be was not looked at. */
  endpoint: string;
  /** Hosts it tried to reach, and was refused. */
  refusedHosts: readonly string[];
  tools: ToolsInUse;
  behaviours: readonly BehaviourRow[];
}

export interface ToolsInUse {
  /**
   * `kit`: it runs tools through `#harness`. `own`: it runs its own, those that were allowed. `stubbed`: its own, with
   * stand-ins in their place. `none`: it offers the model no tool.
   */
  kind: "kit" | "own" | "stubbed" | "none";
  /** `dangerous`: its name says that it changes or destroys something. `called`: the model may ask for it in this audit. */
  list: readonly { name: string; dangerous: boolean; called: boolean }[];
}

/** `breaks`: the API rejects it, or it never ends. `harms`: a wrong, truncated or repeated answer or action. */
export type Severity = "breaks" | "harms" | "advice";

export type BehaviourStatus = "holds" | "fails" | "not-applicable" | "not-observable";

/** One row of the table. */
export interface BehaviourRow {
  id: string;
  title: Text;
  status: BehaviourStatus;
  /** Of the failure; of what a failure would be, for the others. */
  severity: Severity;
  /** What was seen; for `fails`, the headline of what is wrong. One or two sentences. */
  message: Text;
  /** The diagnosis that names it; null for other failures and for what holds. `bucle explain` takes it. */
  diagnosis: string | null;
  /** The turn it was seen in; 0 where there is none to name. */
  turn: number;
  at: Spot | null;
  /** `at` is no more than where the loop last asked the model: what is wrong need not stand there. */
  onlySeenThere: boolean;
  frame: CodeFrame | null;
  /** One next step; null where nothing is to be done. */
  next: Text | null;
  /** Why a failure is not counted, from `--ignore` or `audit.json`; null where it is. */
  ignored: string | null;
  runs: readonly RunGrade[];
}
