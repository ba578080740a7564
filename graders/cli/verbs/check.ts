import { join } from "node:path";
import { type CourseExercise, isStarted } from "../../grading/course.ts";
import type { ExerciseGrade } from "../../grading/grade.ts";
import { afterGrade, progressFile, readProgress } from "../../grading/progress.ts";
import { toJson } from "../../reports/json/json.ts";
import { toTerminal } from "../../reports/terminal/terminal.ts";
import { warmUp } from "../../sandbox/compile/compile.ts";
import {
  checkLang,
  exercisesById,
  exercisesFolder,
  keepProgress,
  look,
  openEngine,
  openKitCourse,
  seedOf,
} from "../kit.ts";
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
    { flags: "--json", text: { es: "un documento JSON y nada más", en: "one JSON document and nothing else" } },
    {
      flags: "--verbose",
      text: { es: "todo lo que se observó en cada ejecución", en: "all that was seen in each run" },
    },
    { flags: "--all-output", text: { es: "todo lo que imprimió tu código", en: "all that your code printed" } },
    {
      flags: "--dir",
      value: { es: "carpeta", en: "folder" },
      text: { es: "otra carpeta con la forma de exercises/", en: "another folder shaped like exercises/" },
    },
    {
      flags: "--seed",
      value: { es: "semilla", en: "seed" },
      text: { es: "repite la variación de una ejecución anterior", en: "repeat the variation of an earlier run" },
    },
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
    const file = progressFile(folder);
    if (own) readProgress(file); // one that cannot be read is told before anything is run
    warmUp();
    const engine = openEngine(kit, course, { seed: seedOf(options), keepAllOutput: options.allOutput === true });
    const graded: ExerciseGrade[] = [];
    try {
      for (const exercise of asked) {
        const { used, off } = (own ? readProgress(file).exercises[exercise.id] : undefined) ?? {};
        const grade = await engine.gradeExercise(exercise, at(exercise), used, off);
        graded.push(grade);
        // Read afresh each time: a hint or another check may have noted something meanwhile.
        if (own) keepProgress(kit, file, () => afterGrade(readProgress(file), grade, at(exercise)));
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

const NOTHING_STARTED = {
  es: "Aún no has empezado ningún ejercicio. Empieza por `npm start`.",
  en: "You have not started any exercise yet. Begin with `npm start`.",
};
