import type { Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { JudgedRun } from "./spec.ts";

interface Ways {
  goesWell(run: JudgedRun): boolean;
  /** Holds the very same conversation with an import of its own. */
  alone(scenario: Scenario): Promise<JudgedRun>;
  judge(run: Run): JudgedRun;
}

/** A run that others stood beside, judged anew where the very same conversation goes well alone. */
export async function besideAndAlone(run: JudgedRun, { goesWell, alone, judge }: Ways): Promise<JudgedRun> {
  // That the clock ended it says nothing: with others to hold there was less time for each.
  if (run.beside.length === 0 || run.kind === "out-of-time" || goesWell(run)) return run;
  return goesWell(await alone(run.scenario)) ? judge({ ...run, passesAlone: true }) : run;
}
