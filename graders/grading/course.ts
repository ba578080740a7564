import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ScenarioFile } from "../model/scenario-file.ts";
import { type ReadScenario, scenarioReader } from "./checked-scenarios.ts";
import type { Exercise } from "./spec.ts";

/** A course: exercises with what they demand, and where their files are. */
export interface Course {
  /** Folder that holds `exercises/`, `solutions/`, `fixtures/` and `graders/specs/`. */
  root: string;
  exercises: readonly CourseExercise[];
  /** `sha256:…` of everything a verdict depends on beside the submission. */
  pack: string;
  /** @throws Error naming the file when it is missing or not a scenario */
  scenario(name: string): Promise<ScenarioFile>;
  /** Content hashes of the files students start from, by `folder/name`. */
  starters: ReadonlyMap<string, string>;
}

export interface CourseExercise extends Exercise {
  /** `2.3-write-the-loop`. */
  folder: string;
  /** First number of the id. */
  lesson: number;
}

const ownSpecs = import.meta.glob<Exercise>(["../specs/*.ts", "!../specs/*.test.ts"], {
  eager: true,
  import: "default",
});

/**
 * The kit's own course.
 * @param root the kit's folder
 * @param bundle what identifies the running code
 * @param list file in which it is remembered which scenarios are sound; null to check them every time
 */
export function kitCourse(root: string, bundle: string, list: string | null = null): Course {
  return makeCourse(root, ownSpecs, bundle, scenarioReader(list));
}

/** Any folder shaped like the kit: its specs are compiled as they are read. */
export async function openCourse(root: string, bundle: string): Promise<Course> {
  const { build } = await import("esbuild");
  const folder = join(root, "graders", "specs");
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const specs: Record<string, Exercise> = {};
  for (const file of files) {
    const { outputFiles } = await build({
      entryPoints: [join(folder, file)],
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
      logLevel: "silent",
      tsconfigRaw: "{}",
      plugins: [
        {
          name: "spec",
          setup: ({ onResolve, onLoad }) => {
            onResolve({ filter: /^#spec$/ }, () => ({ path: "spec", namespace: "spec" }));
            onLoad({ filter: /.*/, namespace: "spec" }, () => ({
              contents: "export const defineExercise = (e) => e;",
            }));
          },
        },
      ],
    });
    const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
    specs[file] = ((await import(`data:text/javascript;base64,${code}`)) as { default: Exercise }).default;
  }
  return makeCourse(root, specs, bundle, scenarioReader(null));
}

function makeCourse(root: string, specs: Record<string, Exercise>, bundle: string, read: ReadScenario): Course {
  const exercises = Object.entries(specs)
    .map(([file, spec]) => ({ ...spec, folder: basename(file, ".ts"), lesson: Number(spec.id.split(".")[0]) }))
    .sort((a, b) => compareIds(a.id, b.id));
  const opened = new Map<string, Promise<ScenarioFile>>();
  const scenarios = join(root, "fixtures", "scenarios");
  return {
    root,
    exercises,
    pack: packHash(root, bundle),
    starters: readStarters(root),
    scenario: (name) => {
      const known = opened.get(name);
      if (known) return known;
      const reading = readScenario(join(scenarios, `${name}.json`), `fixtures/scenarios/${name}.json`, read);
      opened.set(name, reading);
      return reading;
    },
  };
}

async function readScenario(path: string, shown: string, read: ReadScenario): Promise<ScenarioFile> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${shown}: ${(error as Error).message}`);
  }
  return read(text, shown, contentHash(text));
}

/** `2.10` after `2.9`. */
export function compareIds(a: string, b: string): number {
  const [x, y] = [a.split(".").map(Number), b.split(".").map(Number)];
  return (x[0] ?? 0) - (y[0] ?? 0) || (x[1] ?? 0) - (y[1] ?? 0);
}

function packHash(root: string, bundle: string): string {
  const hash = createHash("sha256").update(bundle);
  for (const folder of ["scenarios", "programs"]) {
    const path = join(root, "fixtures", folder);
    for (const name of safeList(path))
      hash.update(`\0${folder}/${name}\0`).update(normal(readFileSync(join(path, name), "utf8")));
  }
  return `sha256:${hash.digest("hex")}`;
}

function safeList(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Git may check files out with other line ends. */
function normal(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

export function contentHash(text: string): string {
  return createHash("sha256").update(normal(text)).digest("hex").slice(0, 16);
}

/** Content hashes of the starting files, so that an untouched exercise is known as one. */
export const STARTERS = "fixtures/starters.json";

function readStarters(root: string): ReadonlyMap<string, string> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(join(root, STARTERS), "utf8")) as Record<string, string>));
  } catch {
    return new Map();
  }
}

/** Files of an exercise that a student edits, relative to its folder. */
export function editableFiles(names: readonly string[]): string[] {
  return names.filter((name) => /^(agent\.(ts|mts|js|mjs)|answers\.json)$/.test(name)).sort();
}

/** What `fixtures/starters.json` should hold for the exercises as they are now. */
export function startersNow(course: Course): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { folder } of course.exercises) {
    const path = join(course.root, "exercises", folder);
    for (const name of editableFiles(safeList(path))) {
      found[`${folder}/${name}`] = contentHash(readFileSync(join(path, name), "utf8"));
    }
  }
  return found;
}

/** Whether a student has changed anything in an exercise's folder. */
export function isStarted(course: Course, { folder }: CourseExercise, path: string): boolean {
  return editableFiles(safeList(path)).some((name) => {
    const text = readRegular(join(path, name));
    // Something is there that is no regular file: the grade will say what.
    return text === null || course.starters.get(`${folder}/${name}`) !== contentHash(text);
  });
}

/** Largest file of a student that is read, bytes. */
const LARGEST = 1024 * 1024;

/** The text of a regular file; null for anything else: a pipe under that name would never end. */
export function readRegular(path: string): string | null {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size <= LARGEST ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}
