import type { ScenarioFile } from "../model/scenario-file.ts";
import type { Spot } from "../trace/events.ts";
import type { Counts, Outcome, Printed } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";

/** A submission's result, as plain data: all that a report may know. */
export interface Grade {
  kit: string;
  /** `sha256:…` of the exercises' specs, scenarios and texts it was graded with. */
  pack: string;
  seed: string;
  /** Names of the sandbox layers that were on. */
  layers: string[];
  exercises: ExerciseGrade[];
}

export interface ExerciseGrade {
  id: string;
  folder: string;
  title: Text;
  kind: "predict" | "debug" | "build";
  /** `error` is ours, never the student's. */
  status: "passed" | "failed" | "error" | "untouched";
  points: Points;
  criteria: CriterionGrade[];
  runs: RunGrade[];
  /** Conversations drawn at random; null where none was played. */
  generated: GeneratedGrade | null;
  /** The conversation of a quiz, for the student to read; null where there is none. */
  quiz: QuizGrade | null;
  /** Why the submission could not be run at all (does not compile, file refused, our own error). */
  problem: Problem | null;
}

export interface Points {
  earned: number;
  possible: number;
}

export interface CriterionGrade {
  id: string;
  title: Text;
  status: "passed" | "failed" | "skipped" | "error";
  points: Points;
  /** Why it failed or was skipped; null when it passed. */
  message: Text | null;
}

export interface RunGrade {
  scenario: string;
  /** What the scenario plays, in a few words. */
  title: Text;
  outcome: Outcome;
  kind: string | null;
  counts: Counts;
  expected: { callModel: number; executeTool: number } | null;
  /** Headline first. */
  findings: FindingGrade[];
  /** Seen: a criterion of the exercise fails by this conversation alone, whatever was found in it. */
  failsCriterion?: true;
  /** The error a run ended with, where one did. */
  error: { name: string; message: string; at: Spot | null; stack: Spot[] } | null;
  printed: Printed;
  ms: number;
}

export interface GeneratedGrade {
  /** How many were drawn and played, those that made a failure smaller aside. */
  played: number;
  /** The smallest that the loop failed, to be played again from its file; its run is among the exercise's runs. */
  failed: { file: ScenarioFile; when: Text; transcript: Text } | null;
}

export interface FindingGrade {
  id: string;
  weight: "fault" | "advice";
  turn: number;
  at: Spot | null;
  /** The lines round `at`, ready to print; null without a line. */
  frame: CodeFrame | null;
  headline: Text;
  detail: Text;
  next: Text;
}

/** Source lines round a spot. `lines[i]` is line `first + i`. */
export interface CodeFrame {
  file: string;
  first: number;
  line: number;
  column: number;
  lines: string[];
}

export interface QuizGrade {
  /** Which member of the family `answers.json` answers. */
  conversation: number;
  /** Set when a wrong try has moved the student on to the next member. */
  nextConversation: number | null;
  /** The scripts of the member to answer now, as lines to print. */
  transcript: Text;
  questions: { key: string; ask: Text; options: { id: string; text: Text }[] | null }[];
  missing: string[];
  /** Ideas that are off; never which field or value. */
  off: Text[];
}

export interface Problem {
  /** `student`: something they can mend. `kit`: our own error. */
  whose: "student" | "kit";
  headline: Text;
  detail: Text;
  next: Text;
  at: Spot | null;
  frame: CodeFrame | null;
}
