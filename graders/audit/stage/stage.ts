import type { Look } from "../../sandbox/look.ts";
import type { Trace } from "../../trace/events.ts";
import type { Run } from "../../trace/run.ts";
import type { Scenario } from "../../trace/scenario.ts";
import type { Text } from "../../trace/text.ts";

/** Where an audited loop is played: its module in a child process, or its whole program against a port. */
export interface Stage {
  /** Time is real, or virtual. */
  clock: "real" | "virtual";
  layers: readonly string[];
  /** Name of the exported function that is the loop; null where it is a program. */
  entry: string | null;
  /** Where its requests are awaited, for the report: what it sends elsewhere is not looked at. */
  endpoint: string;
  /** What to look after when it has asked for nothing. */
  whenSilent: Text;
  /**
   * Plays conversations.
   * @param together from one import, one after the other or at once; left out: there is one
   * @returns a run for each that began
   */
  play(scenarios: readonly Scenario[], how: How): Promise<Run[]>;
  /** Imports its file and calls nothing of it; left out where there is no file. @param scenario in force meanwhile */
  look?(scenario: Scenario): Promise<Look>;
  /** Ends every process that was started; resolves when they are gone. */
  close(): Promise<void>;
}

export interface How {
  together?: "in-turn" | "at-once";
  /** `results`: tools run where they cannot be watched, and are told by their results. */
  toolsSeen: "calls" | "results";
  stopWhen(trace: Trace, scenario: Scenario): string | null;
}
