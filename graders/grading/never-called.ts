/** Why no conversation of a submission ever reached its loop: the file does not load, or what it exports cannot be called. */
import { diagnose } from "../diagnoses/catalog/catalog.ts";
import type { Program } from "../sandbox/compile/program.ts";
import { LOOK, lookingAt, lookOf } from "../sandbox/look.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Problem } from "./grade.ts";
import { doesNotLoad, noFunction, refusalProblem } from "./problems.ts";

/** What was run. */
export interface Ran {
  program: Program;
  /** Name of the export that was taken for the loop. */
  entry: string;
  /** The file it is in. */
  file: string;
  runs: readonly Run[];
}

/**
 * Imports a submission once more and calls nothing, where none of its runs got as far as asking for anything.
 * @returns null where its loop was called
 */
export async function whyNeverCalled(sandbox: Sandbox, { program, entry, file, runs }: Ran): Promise<Problem | null> {
  const [first] = runs;
  if (first === undefined || !runs.every(brokeDownAtOnce)) return null;
  const seen = await lookAt(sandbox, program, entry, first.scenario);
  if (seen.loads) {
    const { is, methods } = seen.found;
    const callable = is === "function" || methods.includes("runAgent");
    return callable ? null : refusalProblem(noFunction(file, entry, is), program.source);
  }
  if (!brokeDownAtOnce(seen.run)) return null;
  const at = diagnose(seen.run)[0]?.at ?? null;
  return refusalProblem(doesNotLoad(at?.file ?? file, seen.run.error, at), program.source);
}

async function lookAt(sandbox: Sandbox, program: Program, entry: string, scenario: Scenario) {
  const run = await sandbox.run({ program: lookingAt(program, entry), entry: LOOK, scenario, stopWhen: () => null });
  return lookOf(run, entry, program.exports);
}

/** Whether a run ended with an error, or waits for nothing, before it had asked the model or a tool. What was refused or never ended says so by itself. */
function brokeDownAtOnce({ outcome, kind, trace }: Run): boolean {
  const broke = outcome === "threw" || kind === "uncaught" || kind === "never-settles";
  return broke && trace.every(({ type }) => type === "settled");
}
