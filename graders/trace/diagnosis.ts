import type { Spot, Trace } from "./events.ts";
import type { Run } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import type { Text } from "./text.ts";

/** One known mistake. A file in `diagnoses/`, named by its id, with this as its default export. */
export interface Diagnosis {
  id: string;
  /** Root causes before their consequences: of all that a run has, the lowest rank is its headline. Unique. */
  rank: number;
  /** `advice` is shown but never fails a criterion by itself and never outranks a fault. */
  weight: "fault" | "advice";
  /** The exercise that teaches it; its lesson explains it. */
  exercise: string;
  /** Ids of what this mistake brings about: folded under it when a run has both. */
  explains?: readonly string[];
  /**
   * Whether a run should end here because this mistake is proven endless. Called after each event with the trace so far.
   * Counts only; never a clock.
   */
  stops?(trace: Trace, scenario: Scenario, limits: StopLimits): boolean;
  /** The mistake in a finished run, or null. Decides on the trace; reads the source only to point at a line. */
  detect(run: Run): Finding | null;
}

/** What a spec can tell the stop conditions. */
export interface StopLimits {
  /** The cap the exercise demands of a never-ending scenario; null where it demands none. */
  cap: number | null;
  /** Id of the diagnosis that ended another conversation of the same submission: it has less to show in this one. */
  shown?: string | null;
}

/** A mistake found: where, and what to tell the student. */
export interface Finding {
  turn: number;
  at: Spot | null;
  /** At most 90 characters, plain words, no id, no fixing line. */
  headline: Text;
  /** What the loop did, then what the model was waiting for. What was counted, never "this can never end". */
  detail: Text;
  /** One next step, as a question or an action; never the fixing line itself. */
  next: Text;
}
