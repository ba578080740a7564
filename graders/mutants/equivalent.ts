/** `equivalent.json`: the mutants that an exercise need not tell from its solution, each with the reason. */
import { z } from "zod";
import type { Mutant, MutantKey } from "./mutate.ts";

const file = z.strictObject({
  mutants: z.array(
    z.strictObject({
      /** Ids of the exercises whose solutions have it. */
      exercises: z.array(z.string()).min(1),
      operator: z.string(),
      was: z.string(),
      is: z.string(),
      occurrence: z.int().positive(),
      /** `equivalent`: no run can tell. `allowed`: it behaves otherwise, and the exercise does not demand that it does not. */
      verdict: z.enum(["equivalent", "allowed"]),
      reason: z.string().min(20),
    }),
  ),
});

export type Entry = z.infer<typeof file>["mutants"][number];

/** @throws Error when it is not of that shape, or names one mutant twice */
export function readEntries(json: unknown): Entry[] {
  const { mutants } = file.parse(json);
  const seen = new Set<string>();
  for (const entry of mutants) {
    for (const exercise of entry.exercises) {
      const key = keyOf(exercise, entry);
      if (seen.has(key)) throw new Error(`Recorded twice: ${key}`);
      seen.add(key);
    }
  }
  return mutants;
}

/** @returns what is recorded about a mutant of an exercise, under any of its keys */
export function entryFor(entries: readonly Entry[], exercise: string, { keys }: Pick<Mutant, "keys">): Entry | null {
  const own = new Set(keys.map((key) => keyOf(exercise, key)));
  return entries.find((entry) => entry.exercises.includes(exercise) && own.has(keyOf(exercise, entry))) ?? null;
}

/** A recorded mutant that is made no more, or that the grader tells by now. */
export interface Stale {
  entry: Entry;
  exercise: string;
  why: "gone" | "killed";
}

/**
 * What is recorded and does not hold any more.
 * @param made the mutants of every exercise that was looked at, by its id, with whether they still survive; null where
 * that was not looked at
 */
export function staleEntries(
  entries: readonly Entry[],
  made: ReadonlyMap<string, readonly { keys: Mutant["keys"]; survives: boolean | null }[]>,
): Stale[] {
  return entries.flatMap((entry) =>
    entry.exercises.flatMap((exercise): Stale[] => {
      const mutants = made.get(exercise);
      if (mutants === undefined) return [];
      const mutant = mutants.find((each) => entryFor([entry], exercise, each) !== null);
      if (mutant === undefined) return [{ entry, exercise, why: "gone" }];
      return mutant.survives === false ? [{ entry, exercise, why: "killed" }] : [];
    }),
  );
}

function keyOf(exercise: string, { operator, was, is, occurrence }: MutantKey): string {
  return JSON.stringify([exercise, operator, was, is, occurrence]);
}
