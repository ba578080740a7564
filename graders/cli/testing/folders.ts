/** For tests: folders as students and instructors have them, removed after the test file. */
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll } from "vitest";
import type { Progress } from "../../grading/progress.ts";
import { KIT } from "./bucle.ts";

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder; its path has a space and an accent, as many a home folder does. */
export function freshFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "bucle prueba ñandú-")));
  made.push(folder);
  return folder;
}

export interface Student {
  /** Where the student types commands: it holds `exercises/`. */
  cwd: string;
  exercises: string;
  /** The folder of an exercise. */
  folder(id: string): string;
  /** Writes a file of an exercise. */
  write(id: string, file: string, text: string): void;
  /** Copies the reference solution of an exercise. */
  solve(id: string): void;
  /** Copies a near miss: `wrong/<name>.ts`. */
  miss(id: string, name: string): void;
  /** Writes `answers.json`: the right answers of conversation 1, changed as given. */
  answer(id: string, change?: Readonly<Record<string, unknown>>): void;
  /** What `.bucle/progress.json` holds. */
  progress(): Progress;
}

/** Somebody who has just got the exercises. */
export function student(): Student {
  const cwd = freshFolder();
  const exercises = join(cwd, "exercises");
  cpSync(join(KIT, "exercises"), exercises, { recursive: true });
  const within = (folder: string, id: string) =>
    join(folder, readdirSync(folder).find((name) => name.startsWith(`${id}-`)) ?? id);
  const solution = (id: string) => within(join(KIT, "solutions"), id);
  const folder = (id: string) => within(exercises, id);
  const write = (id: string, file: string, text: string) => writeFileSync(join(folder(id), file), text);
  return {
    cwd,
    exercises,
    folder,
    write,
    solve: (id) => solve(folder(id), solution(id)),
    miss: (id, name) => cpSync(join(solution(id), "wrong", `${name}.ts`), join(folder(id), "agent.ts")),
    answer: (id, change = {}) => {
      const right = JSON.parse(readFileSync(join(solution(id), "answers.json"), "utf8")) as object;
      write(id, "answers.json", JSON.stringify({ ...right, ...change }));
    },
    progress: () => JSON.parse(readFileSync(join(cwd, ".bucle", "progress.json"), "utf8")) as Progress,
  };
}

function solve(folder: string, solution: string): void {
  for (const file of readdirSync(solution)) {
    if (/^(agent\.ts|answers\.json)$/.test(file)) cpSync(join(solution, file), join(folder, file));
  }
}

/**
 * A copy of the whole kit, as a clone has it: nothing built, no `.bucle`.
 * @param runtime the bundled runtime, to have its bundle too: it is made of the same sources
 */
export function kitCopy({ packages = true, runtime }: { packages?: boolean; runtime?: string } = {}): string {
  const copy = freshFolder();
  const left = new Set(["node_modules", "dist", "docs", ".git", ".github", ".bucle"]);
  for (const name of readdirSync(KIT)) {
    if (!left.has(name)) cpSync(join(KIT, name), join(copy, name), { recursive: true });
  }
  // A junction is what Windows lets anybody make; elsewhere the type is ignored.
  if (packages) symlinkSync(join(KIT, "node_modules"), join(copy, "node_modules"), "junction");
  if (runtime !== undefined) {
    const bundle = basename(dirname(runtime));
    cpSync(dirname(runtime), join(copy, "dist", bundle), { recursive: true });
    writeFileSync(join(copy, "dist", "current.json"), JSON.stringify({ folder: bundle }));
  }
  return copy;
}

/** Puts the reference solutions in the place of a kit's exercises. */
export function solveAll(kit: string): void {
  for (const name of readdirSync(join(KIT, "solutions"))) {
    solve(join(kit, "exercises", name), join(KIT, "solutions", name));
  }
}
