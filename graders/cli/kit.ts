import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Chalk } from "chalk";
import { type Course, compareIds, kitCourse } from "../grading/course.ts";
import { createEngine, type Engine } from "../grading/engine.ts";
import { type Progress, UnreadableProgress, writeProgress } from "../grading/progress.ts";
import { WALL_SETTING } from "../sandbox/limits.ts";
import type { Lang, Text } from "../trace/text.ts";
import { LANGS } from "../trace/text.ts";

/** What every verb gets. */
export interface Kit {
  root: string;
  runtime: string;
  version: string;
  lang: Lang;
}

/** Wrong usage: told plainly, exit code 2. */
export class UsageError extends Error {
  readonly text: Text;
  constructor(text: Text) {
    super(text.en);
    this.text = text;
  }
}

/**
 * Keeps progress where that can be kept. A verdict is never lost for it: where the folder is read-only it is said, once.
 * @param next the progress, read again and changed just before it is written
 */
export function keepProgress(kit: Kit, file: string, next: () => Progress): void {
  keepWhereItCan(kit, file, () => writeProgress(file, next()));
}

/** Writes what a verdict leaves behind. @param where what is named when that cannot be done @returns whether it could */
export function keepWhereItCan(kit: Kit, where: string, write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (error instanceof UnreadableProgress) throw error;
    process.stderr.write(`${NOT_KEPT[kit.lang]} ${where} (${(error as NodeJS.ErrnoException).code ?? error})\n`);
    return false;
  }
}

const NOT_KEPT: Text = { es: "No se pudo guardar tu avance:", en: "Your progress could not be kept:" };

/** The kit's own course. */
export function openKitCourse(kit: Kit): Course {
  const bundle = dirname(kit.runtime);
  return kitCourse(kit.root, basename(bundle), join(bundle, "sound-scenarios.json"));
}

/** `BUCLE_TIME_LIMIT_MS`: the wall-clock limit of a run, ms; null when it is not set. */
export function timeLimit(): number | null {
  const given = process.env[WALL_SETTING];
  if (given === undefined || given === "") return null;
  const limit = Number(given);
  if (Number.isFinite(limit) && limit >= 1) return limit;
  throw new UsageError({
    es: `\`${WALL_SETTING}\` debe ser un número de milisegundos.`,
    en: `\`${WALL_SETTING}\` must be a number of milliseconds.`,
  });
}

export function openEngine(kit: Kit, course: Course, options: { seed: string; keepAllOutput?: boolean }): Engine {
  const wallMs = timeLimit();
  return createEngine({
    course,
    runtime: kit.runtime,
    kit: kit.version,
    lang: kit.lang,
    ...options,
    ...(wallMs === null ? {} : { wallMs }),
  });
}

/** Seeds are printed for repeating a run: they must survive a shell as they are. */
const SEED = /^[A-Za-z0-9._-]{1,64}$/;

/** The seed asked for, else one just drawn. */
export function seedOf(options: Readonly<Record<string, unknown>>): string {
  if (options.seed === undefined) return randomBytes(4).toString("hex");
  if (typeof options.seed === "string" && SEED.test(options.seed)) return options.seed;
  throw new UsageError({
    es: "Una semilla tiene de 1 a 64 letras, cifras, puntos o guiones, como las que imprimen los informes.",
    en: "A seed has 1 to 64 letters, digits, dots or dashes, like those that the reports print.",
  });
}

/**
 * The folder of exercises to grade: `--dir`; else `exercises/` below the current folder; else the kit's own.
 * `own`: the student's own work, whose progress is kept.
 */
export function exercisesFolder(
  kit: Kit,
  options: Readonly<Record<string, unknown>>,
): { folder: string; own: boolean } {
  if (typeof options.dir === "string") {
    const folder = resolve(options.dir);
    if (!existsSync(folder) || !statSync(folder).isDirectory()) {
      throw new UsageError({
        es: `No existe la carpeta \`${options.dir}\`. \`--dir\` espera una carpeta con la forma de \`exercises/\`.`,
        en: `There is no folder \`${options.dir}\`. \`--dir\` expects a folder shaped like \`exercises/\`.`,
      });
    }
    return { folder, own: false };
  }
  const here = resolve("exercises");
  return { folder: existsSync(here) ? here : join(kit.root, "exercises"), own: true };
}

/** The exercises with these ids, in the course's order. */
export function exercisesById(course: Course, ids: readonly string[]) {
  for (const id of ids) {
    if (course.exercises.some((exercise) => exercise.id === id || exercise.folder === id)) continue;
    const known = course.exercises.map((exercise) => exercise.id).join(" ");
    throw new UsageError({
      es: `No hay ejercicio \`${id}\`. Los que hay: ${known}`,
      en: `There is no exercise \`${id}\`. There are: ${known}`,
    });
  }
  const asked = course.exercises.filter(({ id, folder }) => ids.includes(id) || ids.includes(folder));
  return [...asked].sort((a, b) => compareIds(a.id, b.id));
}

/** @throws UsageError for a language that does not exist */
export function checkLang(options: Readonly<Record<string, unknown>>): void {
  if (options.lang === undefined || LANGS.includes(options.lang as Lang)) return;
  throw new UsageError({
    es: `No hay textos en \`${String(options.lang)}\`. Usa \`--lang es\` o \`--lang en\`.`,
    en: `There are no texts in \`${String(options.lang)}\`. Use \`--lang es\` or \`--lang en\`.`,
  });
}

/** A path as one would type it here. */
export function asTyped(path: string): string {
  return relative(process.cwd(), path).replaceAll("\\", "/");
}

/** How to draw on this terminal. */
export function look(options: Readonly<Record<string, unknown>>): { colour: boolean; columns: number } {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  const wanted = FORCE_COLOR !== undefined && FORCE_COLOR !== "0";
  const colour =
    options.color !== false && !NO_COLOR && (wanted || (process.stdout.isTTY === true && new Chalk().level > 0));
  return { colour, columns: Math.max(40, Math.min(process.stdout.columns ?? 80, 110)) };
}
