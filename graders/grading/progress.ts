/**
 * What a student has done so far, kept beside their exercises in `.bucle/progress.json`. It decides no grade: it says which
 * exercise comes next, and which conversations of a quiz are used up.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Text } from "../trace/text.ts";
import { readRegular } from "./course.ts";
import type { ExerciseGrade } from "./grade.ts";

export interface Progress {
  version: 1;
  exercises: Record<string, ExerciseProgress>;
}

export interface ExerciseProgress {
  /** Absent until the exercise has been graded with something of the student's in it. */
  status?: "passed" | "failed";
  /** Hash of the files that were graded: an edit makes the status old. */
  files?: string;
  /** The last conversation of the quiz that a wrong try has used up. */
  used?: number;
  /** Ideas that were off in that try, to be read again: its answers are not judged a second time. */
  off?: readonly Text[];
  /** Whether the first complete try was right: for the learner, never a penalty. */
  firstTry?: "right" | "wrong";
  /** How many hints have been shown. */
  hints?: number;
}

const NOTHING: Progress = { version: 1, exercises: {} };

/** @param exercises the folder the student edits */
export function progressFile(exercises: string): string {
  return join(dirname(exercises), ".bucle", "progress.json");
}

/**
 * Reads the file; nothing when there is none.
 * @throws Error naming the file and what to do when it cannot be understood: it is never overwritten silently
 */
export function readProgress(file: string): Progress {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return NOTHING;
    throw new UnreadableProgress(file);
  }
  try {
    const json = JSON.parse(text) as Progress;
    if (json.version === 1 && typeof json.exercises === "object" && json.exercises !== null) return json;
  } catch {
    // said below: the same cure for a broken file and for one of another kind
  }
  throw new UnreadableProgress(file);
}

export class UnreadableProgress extends Error {
  readonly file: string;
  constructor(file: string) {
    super(`${file} cannot be read; rename it and run the command again`);
    this.file = file;
  }
}

/** Written whole or not at all. */
export function writeProgress(file: string, progress: Progress): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, `${JSON.stringify(progress, null, 2)}\n`);
  renameSync(fresh, file);
}

/** Hash of what a student may edit in an exercise's folder, helper files included; empty when there is nothing. */
export function filesHash(folder: string): string {
  const names = workFiles(folder);
  const hash = createHash("sha256");
  for (const name of names) hash.update(`${name}\0${readRegular(join(folder, name)) ?? "?"}\0`);
  return names.length === 0 ? "" : hash.digest("hex").slice(0, 16);
}

/** Generated, hidden or installed: nothing a student edits. */
const NOT_WORK = /\.schema\.json$|(^|[\\/])(\.|node_modules[\\/])/;

/** Files beyond this many are no exercise: a hash need not tell them apart. */
const MOST_FILES = 200;

/** Code and answers, wherever they are in the folder. */
function workFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|mts|js|mjs|json)$/.test(name) && !NOT_WORK.test(name))
      .sort()
      .slice(0, MOST_FILES);
  } catch {
    return [];
  }
}

/** The progress after a grade. */
export function afterGrade(progress: Progress, grade: ExerciseGrade, folder: string): Progress {
  const before = progress.exercises[grade.id];
  if (grade.status === "error" || grade.status === "untouched") return progress;
  const { quiz } = grade;
  const next: ExerciseProgress = { ...before, status: grade.status, files: filesHash(folder) };
  if (quiz) {
    const judged = quiz.missing.length === 0 && quiz.conversation > (before?.used ?? 0);
    if (judged) next.firstTry ??= quiz.nextConversation === null ? "right" : "wrong";
    if (judged && quiz.nextConversation !== null) {
      next.used = Math.max(before?.used ?? 0, quiz.conversation);
      next.off = quiz.off;
    }
  }
  return { version: 1, exercises: { ...progress.exercises, [grade.id]: next } };
}

/** The progress after one more hint was shown. */
export function afterHint(progress: Progress, id: string, hints: number): Progress {
  return { version: 1, exercises: { ...progress.exercises, [id]: { ...progress.exercises[id], hints } } };
}

/** Whether an exercise has passed as it stands now. */
export function hasPassed(progress: Progress, id: string, folder: string): boolean {
  const known = progress.exercises[id];
  return known?.status === "passed" && known.files === filesHash(folder);
}
