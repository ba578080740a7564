/** For tests: the fake course, copies of it to break, and submissions made of texts. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, inject } from "vitest";
import type { Lang } from "../../trace/text.ts";
import { type Course, type CourseExercise, openCourse } from "../course.ts";
import { createEngine, type Engine } from "../engine.ts";

/** The folder of the fake course. Never written to. */
export const FAKE = join(import.meta.dirname, "..", "fake-course");

/** A new empty folder, gone after the test file. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bucle-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of the fake course, to be changed below `root`. */
export function copyFake(root: string): string {
  cpSync(FAKE, root, { recursive: true });
  return root;
}

export function openFake(root: string = FAKE): Promise<Course> {
  return openCourse(root, "test");
}

/** A submission of one exercise: these files in a folder. */
export function submission(folder: string, files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export function read(...path: string[]): string {
  return readFileSync(join(...path), "utf8");
}

interface Drawn {
  seed?: string;
  lang?: Lang;
}

/** An engine, closed after the test file. */
export function openEngine(course: Course, drawn?: Drawn): Engine {
  const engine = newEngine(course, drawn);
  afterAll(() => engine.close());
  return engine;
}

/** An engine for one use inside a test. */
export async function withEngine<T>(course: Course, use: (engine: Engine) => Promise<T>, drawn?: Drawn): Promise<T> {
  const engine = newEngine(course, drawn);
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

function newEngine(course: Course, { seed = "test", lang = "en" }: Drawn = {}): Engine {
  return createEngine({ course, runtime: inject("runtime"), kit: "test", lang, seed });
}

/** @throws Error when the course has no such exercise */
export function exerciseOf(course: Course, id: string): CourseExercise {
  const found = course.exercises.find((exercise) => exercise.id === id);
  if (!found) throw new Error(`no exercise ${id}`);
  return found;
}
