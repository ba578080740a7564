import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Course, CourseExercise } from "../../grading/course.ts";
import { generatedFolder, keepGenerated } from "../../grading/generated/keep.ts";
import { afterGrade, hasPassed, progressFile, readProgress } from "../../grading/progress.ts";
import { toStanding } from "../../reports/terminal/standing.ts";
import { toTerminal } from "../../reports/terminal/terminal.ts";
import { warmUp } from "../../sandbox/compile/compile.ts";
import type { Lang, Text } from "../../trace/text.ts";
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
} from "../kit.ts";
import type { Verb } from "../verb.ts";

const start: Verb = {
  name: "start",
  order: 10,
  summary: {
    es: "tu ejercicio de ahora: veredicto, dónde estás y qué sigue",
    en: "your current exercise: verdict, where you stand, what is next",
  },
  argument: { syntax: "[id]", text: { es: "otro ejercicio, p. ej. 2.3", en: "another exercise, e.g. 2.3" } },
  options: [
    {
      flags: "--seed",
      value: { es: "semilla", en: "seed" },
      text: { es: "repite la variación de una ejecución anterior", en: "repeat the variation of an earlier run" },
    },
  ],
  run: async (kit, ids, options) => {
    checkLang(options);
    const course = openKitCourse(kit);
    const { folder } = exercisesFolder(kit, options);
    const at = (exercise: CourseExercise) => join(folder, exercise.folder);
    const file = progressFile(folder);
    let progress = readProgress(file);
    const passed = (exercise: CourseExercise) => hasPassed(progress, exercise.id, at(exercise));
    const current =
      ids.length > 0
        ? exercisesById(course, ids)[0]
        : (course.exercises.find((each) => !passed(each)) ?? course.exercises.at(-1));
    if (current === undefined) return 3;
    const engine = openEngine(kit, course, { seed: seedOf(options) });
    try {
      warmUp();
      const { used, off } = progress.exercises[current.id] ?? {};
      const grade = await engine.gradeExercise(current, at(current), used, off);
      // Read afresh: a hint or a check may have noted something meanwhile.
      progress = afterGrade(readProgress(file), grade, at(current));
      keepProgress(kit, file, () => progress);
      const generatedIn = generatedFolder(folder);
      const kept = keepWhereItCan(kit, generatedIn, () => keepGenerated(generatedIn, grade));
      const drawn = { lang: kit.lang, ...look(options) };
      const verdict = toTerminal(engine.report([grade]), {
        ...drawn,
        verbose: false,
        footer: false,
        ...(kept ? { generatedIn: asTyped(generatedIn) } : {}),
      });
      process.stdout.write(`${verdict}\n\n`);
      const standing = course.exercises.map((each) => {
        const status = passed(each)
          ? ("passed" as const)
          : progress.exercises[each.id]?.status
            ? ("failed" as const)
            : ("untouched" as const);
        return { id: each.id, title: each.title, status, ...filesToRead(course, each, folder) };
      });
      const next = grade.status === "passed" ? (course.exercises.find((each) => !passed(each)) ?? current) : current;
      process.stdout.write(`${toStanding({ exercises: standing, current: next.id }, drawn)}\n`);
      // A verdict was shown, which is all that was asked for: only our own failure is an error.
      return grade.status === "error" ? 3 : 0;
    } finally {
      await engine.close();
    }
  },
};

export default start;

/** The lesson's and the exercise's pages, as paths from where the student is. */
function filesToRead(course: Course, exercise: CourseExercise, folder: string): { lesson?: Text; readme?: Text } {
  const number = String(exercise.lesson).padStart(2, "0");
  const lessons = join(course.root, "lessons");
  const name = existsSync(lessons) ? readdirSync(lessons).find((each) => each.startsWith(`${number}-`)) : undefined;
  const from = (...path: string[]) => asTyped(join(...path));
  const both = (path: (lang: Lang) => string): Text => ({ es: path("es"), en: path("en") });
  return {
    ...(name ? { lesson: both((lang) => from(lessons, name, `${lang}.md`)) } : {}),
    readme: both((lang) => from(folder, exercise.folder, `README.${lang}.md`)),
  };
}
