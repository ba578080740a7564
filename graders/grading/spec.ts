import type { Finding } from "../trace/diagnosis.ts";
import type { Demand, Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";

/**
 * What an exercise demands. A file in `specs/`, named like the exercise's folder, with this as its default export.
 * A spec imports from `#spec` and from its own folder, nothing else.
 */
export interface Exercise {
  /** `2.3`; the folder is the file's own name. */
  id: string;
  title: Text;
  kind: "predict" | "debug" | "build";
  /** Ids of the diagnoses this exercise teaches: each has a near miss in `solutions/<folder>/wrong/`. */
  teaches: readonly string[];
  /** For exercises with code: names of the files in `fixtures/scenarios/` it is run against, in the order shown. */
  scenarios?: readonly string[];
  /** Most model calls an honest loop may make of a never-ending scenario; for exercises that have one. */
  cap?: number;
  /** What its criteria ask for that elsewhere is free: what breaks it is told as a mistake here alone. */
  demands?: readonly Demand[];
  /** Questions answered in `answers.json`; absent where the exercise has none. */
  quiz?: Quiz;
  criteria: readonly Criterion[];
  /** From a nudge to the very line: shown one at a time. */
  hints: readonly [Text, Text, Text];
}

export interface Criterion {
  /** Unique in its exercise. */
  id: string;
  title: Text;
  /** Whole points. */
  points: number;
  /** What it is judged on; `code` unless said. The one is still judged when the other could not be. */
  on?: "code" | "quiz";
  /**
   * Passes only on positive evidence.
   * @returns null when it passes, else the reason, for the student
   */
  check(work: Work): Text | null;
}

/** What a criterion may look at. */
export interface Work {
  /** One per scenario, in the spec's order; empty for an exercise without code. */
  runs: readonly JudgedRun[];
  /** Which ideas of the quiz hold; null for an exercise without one. */
  quiz: QuizResult | null;
}

export interface JudgedRun extends Run {
  /** Everything found, headline first. */
  findings: readonly (Finding & { id: string; weight: "fault" | "advice" })[];
}

/**
 * Questions about a program run against a family of scenarios. The right answers are never written down: the kit runs
 * `program` against the member of the family that the student was given, and reads them off the run.
 */
export interface Quiz {
  /** The program the questions are about: a file in `fixtures/programs/`, shown in the README. */
  program: string;
  /** The scenarios of one member of the family; members differ in counts. Conversation 1 is the README's. */
  family(conversation: number): readonly unknown[];
  questions: readonly Question[];
}

interface QuestionBase {
  /** The key in `answers.json`. */
  key: string;
  ask: Text;
  /** The idea behind it: named when the answer is off, never the value. */
  idea: Text;
}

export type Question =
  | (QuestionBase & {
      kind: "number" /** The right answer, read off the runs. */;
      answer(runs: readonly Run[]): number;
    })
  | (QuestionBase & {
      /** All options that are true and no other. */
      kind: "options";
      options: readonly { id: string; text: Text; holds(runs: readonly Run[]): boolean }[];
    });

export interface QuizResult {
  /** Keys that are still null: while there is one, nothing is judged. */
  missing: readonly string[];
  /** Keys answered right; empty while anything is missing. */
  right: readonly string[];
  /** Keys answered wrong; empty while anything is missing. */
  wrong: readonly string[];
}

/** Types an exercise; returns it as it is. */
export function defineExercise(exercise: Exercise): Exercise {
  return exercise;
}
