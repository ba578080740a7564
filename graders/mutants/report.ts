/** What a round of mutants came to, as text and as JSON. */
import type { Entry, Stale } from "./equivalent.ts";
import type { Judged } from "./grading.ts";

export interface Round {
  seed: string;
  ms: number;
  mutants: readonly (Judged & { entry: Entry | null })[];
  stale: readonly Stale[];
}

type Mutant = Round["mutants"][number];

/** What it is counted as: a survivor with a reason is `recorded`. */
function standing({ verdict, entry }: Mutant): string {
  return verdict === "survived" && entry !== null ? "recorded" : verdict;
}

/** Survivors that nobody has given a reason for. */
export function unexplained({ mutants }: Round): Mutant[] {
  return mutants.filter((mutant) => standing(mutant) === "survived");
}

/** Whether everything is as it must be. */
export function holds(round: Round): boolean {
  return (
    unexplained(round).length === 0 && round.stale.length === 0 && round.mutants.every((m) => m.verdict !== "error")
  );
}

const COLUMNS = ["killed", "advised", "recorded", "survived", "uncompilable", "error"];

/** @param all also every killed mutant with its name */
export function asText(round: Round, all: boolean): string {
  const { mutants } = round;
  const sections = [
    table(
      "by exercise",
      mutants.map((mutant) => [mutant.exercise.folder, mutant]),
    ),
    table(
      "by operator",
      mutants.map((mutant) => [mutant.keys[0].operator, mutant]),
    ),
    table(
      "by name",
      mutants
        .filter(({ verdict }) => verdict === "killed")
        .map((mutant) => [mutant.names.join(" + ") || "(no name)", mutant]),
    ),
    ...(all ? mutants : mutants.filter(({ verdict }) => verdict === "error")).map(shown),
    ...unexplained(round).map(shown),
    ...round.stale.map(
      ({ entry, exercise, why }) =>
        `STALE (${why === "gone" ? "no such mutant any more" : "it is killed now"}) ${exercise} ${entry.operator}\n${diff(entry)}`,
    ),
    `mutants (--seed ${round.seed}): ${counted(mutants)}; ${round.stale.length} stale entries; ${(round.ms / 1000).toFixed(0)} s`,
  ];
  return `${sections.join("\n\n")}\n`;
}

function table(title: string, rows: [string, Mutant][]): string {
  const groups = new Map<string, Mutant[]>();
  for (const [name, mutant] of rows) groups.set(name, [...(groups.get(name) ?? []), mutant]);
  const names = [...groups.keys()].sort();
  const width = Math.max(title.length, ...names.map(({ length }) => length)) + 2;
  const line = (first: string, cells: string[]) =>
    first.padEnd(width) + cells.map((cell) => cell.padStart(13)).join("");
  const rowOf = (name: string) => {
    const count = (column: string) => groups.get(name)!.filter((mutant) => standing(mutant) === column).length;
    return line(
      name,
      COLUMNS.map((column) => String(count(column) || "")),
    ).trimEnd();
  };
  return [line(title, COLUMNS), ...names.map(rowOf)].join("\n");
}

function counted(mutants: readonly Mutant[]): string {
  const count = (column: string) => mutants.filter((mutant) => standing(mutant) === column).length;
  return COLUMNS.map((column) => `${count(column)} ${column}`).join(", ");
}

function shown(mutant: Mutant): string {
  const { exercise, keys, line, names, problem } = mutant;
  const how = keys.map(({ operator }) => operator).join(", ");
  const named = names.length > 0 ? `: ${names.join(" + ")}` : "";
  const why = problem?.split("\n")[0] ?? mutant.entry?.reason ?? "";
  const head = `${standing(mutant).toUpperCase()}${named}  ${exercise.folder}:${line} ${how}`;
  return [head, diff(keys[0]), ...(why ? [`  ${why}`] : [])].join("\n");
}

function diff({ was, is, occurrence }: { was: string; is: string; occurrence: number }): string {
  const side = (sign: string, text: string) => (text === "" ? [] : text.split("\n").map((line) => `  ${sign} ${line}`));
  const which = occurrence > 1 ? [`  (occurrence ${occurrence})`] : [];
  return [...side("-", was), ...side("+", is), ...which].join("\n");
}

/** One document: every mutant with its verdict, and what is stale. */
export function asJson(round: Round): string {
  const mutants = round.mutants.map((mutant) => ({
    exercise: mutant.exercise.id,
    verdict: standing(mutant),
    names: mutant.names,
    failed: mutant.failed,
    line: mutant.line,
    keys: mutant.keys,
    reason: mutant.entry?.reason ?? null,
    problem: mutant.problem,
    ms: mutant.ms,
  }));
  const stale = round.stale.map(({ entry, exercise, why }) => ({ exercise, why, entry }));
  return `${JSON.stringify({ version: 1, seed: round.seed, ms: round.ms, mutants, stale }, null, 2)}\n`;
}
