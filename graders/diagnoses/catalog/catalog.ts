import type { Diagnosis, Finding, StopLimits } from "../../trace/diagnosis.ts";
import type { Trace } from "../../trace/events.ts";
import type { Run } from "../../trace/run.ts";
import type { Scenario } from "../../trace/scenario.ts";

const files = import.meta.glob<Diagnosis>(["../*.ts", "!../*.test.ts"], { eager: true, import: "default" });

/** Every diagnosis by the name of its file, for the test that holds names and ids together. */
export const byFile: Readonly<Record<string, Diagnosis>> = Object.fromEntries(
  Object.entries(files).map(([path, diagnosis]) => [path.replace(/^.*\//, "").replace(/\.ts$/, ""), diagnosis]),
);

/** Every known mistake, root causes first. */
export const diagnoses: readonly Diagnosis[] = Object.values(byFile).sort((a, b) => a.rank - b.rank);

/** A finding and the diagnosis it comes from. */
export type Found = Finding & Pick<Diagnosis, "id" | "weight" | "exercise">;

/** The diagnosis that any fault explains: an error nobody else can account for. */
const UNEXPLAINED = "threw";

/**
 * What went wrong in a finished run: the headline first, then other faults, then advice.
 * What one of them explains is left out.
 */
export function diagnose(run: Run): Found[] {
  const found = diagnoses.flatMap((diagnosis) => {
    const finding = diagnosis.detect(run);
    return finding === null ? [] : [{ diagnosis, finding }];
  });
  const explained = new Set(found.flatMap(({ diagnosis }) => diagnosis.explains ?? []));
  if (found.some(({ diagnosis }) => diagnosis.weight === "fault" && diagnosis.id !== UNEXPLAINED))
    explained.add(UNEXPLAINED);
  const kept = found.filter(({ diagnosis }) => !explained.has(diagnosis.id));
  const listed = kept.map(({ diagnosis: { id, weight, exercise }, finding }) => ({ ...finding, id, weight, exercise }));
  return [...listed.filter(({ weight }) => weight === "fault"), ...listed.filter(({ weight }) => weight === "advice")];
}

/**
 * Whether a run has shown enough and should end here; to be asked after each event.
 * @param limits what the exercise can tell
 * @returns id of the first diagnosis, root causes first, that says so; null to go on
 */
export function stopWhen(trace: Trace, scenario: Scenario, limits: StopLimits): string | null {
  return diagnoses.find((diagnosis) => diagnosis.stops?.(trace, scenario, limits))?.id ?? null;
}
