import { join } from "node:path";
import { type CourseExercise, isStarted } from "../../grading/course.ts";
import { generatedFolder, keepGenerated, readGenerated } from "../../grading/generated/keep.ts";
import type { ExerciseGrade } from "../../grading/grade.ts";
import { afterGrade, progressFile, readProgress } from "../../grading/progress.ts";
import type { ScenarioFile } from "../../model/scenario-file.ts";
import { whyUnreadable } from "../../model/unreadable.ts";
import { toJson } from "../../reports/json/json.ts";
import { toTerminal } from "../../reports/terminal/terminal.ts";
import { warmUp } from "../../sandbox/compile/compile.ts";
import type { Text } from "../../trace/text.ts";
import {
  asTyped,
  checkLang,
  exercisesById,
  exercisesFolder,
  keepProgress,
  keepWhereItCan,
  look,
  openEngine,
  openKitCourse,
  seedOf,
  UsageError,
} from "../kit.ts";
import { JSON_DOCUMENT, SEED, VERBOSE } from "../options.ts";
import type { Verb } from "../verb.ts";

const check: Verb = {
  name: "check",
  order: 20,
  summary: { es: "califica ejercicios y dice qué falla", en: "grade exercises and say what is wrong" },
  argument: {
    syntax: "[ids...]",
    text: {
      es: "qué ejercicios, p. ej. 2.2 (si no: los que hayas empezado)",
      en: "which exercises, e.g. 2.2 (else: those you have started)",
    },
  },
  options: [
    JSON_DOCUMENT,
    VERBOSE,
    { flags: "--all-output", text: { es: "todo lo que imprimió tu código", en: "all that your code printed" } },
    {
      flags: "--dir",
      value: { es: "carpeta", en: "folder" },
      text: { es: "otra carpeta con la forma de exercises/", en: "another folder shaped like exercises/" },
    },
    {
      flags: "--scenario",
      value: { es: "archivo", en: "file" },
      text: {
        es: "solo esta conversación, p. ej. una generada que falló",
        en: "this conversation alone, e.g. a generated one that failed",
      },
    },
    SEED,
  ],
  run: async (kit, ids, options) => {
    checkLang(options);
    const course = openKitCourse(kit);
    const { folder, own } = exercisesFolder(kit, options);
    const at = (exercise: CourseExercise) => join(folder, exercise.folder);
    const asked =
      ids.length > 0
        ? exercisesById(course, ids)
        : course.exercises.filter((each) => isStarted(course, each, at(each)));
    if (asked.length === 0 && !options.json) {
      process.stdout.write(`${NOTHING_STARTED[kit.lang]}\n`);
      return 1;
    }
    const scenario = await scenarioOf(options, ids, asked[0]);
    const file = progressFile(folder);
    const generatedIn = generatedFolder(folder);
    if (own) readProgress(file); // one that cannot be read is told before anything is run
    warmUp();
    const engine = openEngine(kit, course, { seed: seedOf(options), keepAllOutput: options.allOutput === true });
    const graded: ExerciseGrade[] = [];
    let kept = own;
    try {
      for (const exercise of asked) {
        if (scenario !== null) {
          graded.push(await engine.replayExercise(exercise, at(exercise), scenario));
          continue;
        }
        const { used, off } = (own ? readProgress(file).exercises[exercise.id] : undefined) ?? {};
        const grade = await engine.gradeExercise(exercise, at(exercise), used, off);
        graded.push(grade);
        // Read afresh each time: a hint or another check may have noted something meanwhile.
        if (!own) continue;
        keepProgress(kit, file, () => afterGrade(readProgress(file), grade, at(exercise)));
        kept &&= keepWhereItCan(kit, generatedIn, () => keepGenerated(generatedIn, grade));
      }
    } finally {
      await engine.close();
    }
    const grade = engine.report(graded);
    const output = options.json
      ? `${JSON.stringify(toJson(grade, { lang: kit.lang, assignment: null }), null, 2)}\n`
      : `${toTerminal(grade, {
          lang: kit.lang,
          ...look(options),
          verbose: options.verbose === true,
          showAll: options.allOutput === true,
          ...(kept ? { generatedIn: asTyped(generatedIn) } : {}),
          ...(scenario !== null ? { scenario: String(options.scenario) } : {}),
        })}\n`;
    process.stdout.write(output);
    return exitCode(graded);
  },
};

export default check;

/** 3 (ours) wins over 1 (theirs). */
export function exitCode(graded: readonly ExerciseGrade[]): number {
  if (graded.some(({ status }) => status === "error")) return 3;
  return graded.length > 0 && graded.every(({ status }) => status === "passed") ? 0 : 1;
}

/** `--scenario`: the one conversation to play. */
async function scenarioOf(
  { scenario }: Readonly<Record<string, unknown>>,
  ids: readonly string[],
  exercise: CourseExercise | undefined,
): Promise<ScenarioFile | null> {
  if (typeof scenario !== "string") return null;
  if (ids.length !== 1 || (exercise?.scenarios ?? []).length === 0) {
    throw new UsageError({
      es: "`--scenario` va con un solo ejercicio, de los que tienen código: `npx bucle check 2.3 --scenario archivo.json`.",
      en: "`--scenario` goes with one exercise, of those with code: `npx bucle check 2.3 --scenario file.json`.",
    });
  }
  try {
    return await readGenerated(scenario);
  } catch (error) {
    // The parser names the file and the place in it.
    const told = (error as { text?: Text }).text;
    const why = whyUnreadable(error);
    throw new UsageError(
      told
        ? {
            es: `No se puede jugar esa conversación. ${sentence(told.es)}`,
            en: `That conversation cannot be played. ${sentence(told.en)}`,
          }
        : {
            es: `No se puede usar \`${scenario}\`: ${sentence(why.es)}`,
            en: `\`${scenario}\` cannot be used: ${sentence(why.en)}`,
          },
    );
  }
}

function sentence(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}

const NOTHING_STARTED = {
  es: "Aún no has empezado ningún ejercicio. Empieza por `npm start`.",
  en: "You have not started any exercise yet. Begin with `npm start`.",
};
