/** Which failures of an audit come from one mistake: told once, it is mended once. */
import type { BehaviourRow } from "../../audit/report.ts";
import { byFile } from "../../diagnoses/catalog/catalog.ts";
import type { RunGrade } from "../../grading/grade.ts";

export interface Cause {
  /** The row that tells of it. */
  told: BehaviourRow;
  /** All that fail for it, in the table's order; the one that tells it among them. */
  rows: readonly BehaviourRow[];
}

/** The causes of rows that fail, in the order of their first rows. */
export function causesOf(failing: readonly BehaviourRow[]): Cause[] {
  const groups: BehaviourRow[][] = [];
  for (const row of failing) {
    const same = groups.filter((group) => group.some((other) => areOne(row, other)));
    const [first] = same;
    if (first === undefined) groups.push([row]);
    else {
      first.push(row, ...same.slice(1).flat());
      for (const other of same.slice(1)) groups.splice(groups.indexOf(other), 1);
    }
  }
  return groups.map((group) => {
    const rows = failing.filter((row) => group.includes(row));
    return { rows, told: rows.toSorted((a, b) => weightOf(a) - weightOf(b))[0]! };
  });
}

/** What harms tells more than advice, what has a name more than what has none. */
function weightOf({ severity, diagnosis }: BehaviourRow): number {
  return (severity === "advice" ? 2 : 0) + (diagnosis === null ? 1 : 0);
}

function areOne(a: BehaviourRow, b: BehaviourRow): boolean {
  return sharesFinding(a, b) || thrownFrom(a, b) || explains(a, b) || explains(b, a);
}

/** The same diagnosis at the same line: told by both, or told by one and found in what the other shows. */
function sharesFinding(a: BehaviourRow, b: BehaviourRow): boolean {
  const found = faultsOf(a);
  return faultsOf(b).some((fault) => found.includes(fault));
}

/** What stands behind a row: the diagnosis that tells it; where none does, those of its conversations. */
function faultsOf(row: BehaviourRow): string[] {
  const { diagnosis, at, runs } = row;
  if (diagnosis !== null) return [faultAt(diagnosis, at, shownRun(row))];
  return runs.flatMap((run) =>
    run.findings.filter(({ weight }) => weight === "fault").map((fault) => faultAt(fault.id, fault.at, run)),
  );
}

/** An error that nothing accounts for is known by its words as well, but for ids and numbers: the API turns down many things. */
function faultAt(id: string, at: BehaviourRow["at"], run: RunGrade | null): string {
  const words = id === "threw" ? (run?.error?.message ?? "").replace(/\w*\d\w*/g, "#") : "";
  return `${id} ${placeOf(at)} ${words}`;
}

/** The same line threw in both, and the API had no part in it. */
function thrownFrom(a: BehaviourRow, b: BehaviourRow): boolean {
  const place = throwOf(a);
  return place !== null && place === throwOf(b);
}

function throwOf(row: BehaviourRow): string | null {
  const run = shownRun(row);
  if (run?.error?.at == null || !wentDown(run)) return null;
  return run.counts.rejected + run.counts.faulted > 0 ? null : placeOf(run.error.at);
}

/** Of a loop that takes any words for the answer, whatever they come with. */
const ENDS_TOO_SOON: readonly string[] = ["preamble-as-answer", "stopped-early"];

/** What one conversation leaves for the next: those that have an import of their own cannot fail for it. */
const BETWEEN_CONVERSATIONS = "state-shared-between-runs";

/**
 * One diagnosis brings the other about: as errors that nobody caught, or as an end that comes too soon at the same line.
 * In two conversations it need not: a request that is sent again may have been turned down for anything.
 */
function explains(a: BehaviourRow, b: BehaviourRow): boolean {
  if (a.diagnosis === null || b.diagnosis === null) return false;
  if (a.diagnosis === BETWEEN_CONVERSATIONS) return false;
  if (!byFile[a.diagnosis]?.explains?.includes(b.diagnosis)) return false;
  if (throwOf(a) !== null && throwOf(b) !== null) return true;
  return ENDS_TOO_SOON.includes(b.diagnosis) && a.at !== null && placeOf(a.at) === placeOf(b.at);
}

function wentDown({ outcome, kind }: RunGrade): boolean {
  return outcome === "threw" || kind === "uncaught";
}

/** The run that shows a failure, where that can be told. */
export function shownRun({ runs, diagnosis }: BehaviourRow): RunGrade | null {
  if (runs.length === 1) return runs[0]!;
  return runs.find(({ findings }) => findings.some(({ id }) => id === diagnosis)) ?? null;
}

function placeOf(at: { file: string; line: number } | null): string {
  return at ? `${at.file}:${at.line}` : "";
}
