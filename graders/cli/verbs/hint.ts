import { join } from "node:path";
import { afterHint, hasPassed, progressFile, readProgress } from "../../grading/progress.ts";
import { hang } from "../../reports/terminal/layout.ts";
import type { Text } from "../../trace/text.ts";
import { checkLang, exercisesById, exercisesFolder, keepProgress, look, openKitCourse } from "../kit.ts";
import type { Verb } from "../verb.ts";

const hint: Verb = {
  name: "hint",
  order: 30,
  summary: { es: "una pista más, cada vez más directa", en: "one more hint, each more direct than the last" },
  argument: {
    syntax: "[id]",
    text: { es: "de qué ejercicio (si no: el de ahora)", en: "of which exercise (else: the current one)" },
  },
  run: async (kit, words, options) => {
    checkLang(options);
    const course = openKitCourse(kit);
    const { folder } = exercisesFolder(kit, options);
    const file = progressFile(folder);
    const progress = readProgress(file);
    const current = course.exercises.find(({ id, folder: name }) => !hasPassed(progress, id, join(folder, name)));
    const exercise = words.length > 0 ? exercisesById(course, words)[0] : (current ?? course.exercises.at(-1));
    if (exercise === undefined) return 3;
    const shown = Math.min((progress.exercises[exercise.id]?.hints ?? 0) + 1, exercise.hints.length);
    keepProgress(kit, file, () => afterHint(readProgress(file), exercise.id, shown));
    const title = `${exercise.id}  ${exercise.title[kit.lang]}`;
    const { columns } = look(options);
    const hints = exercise.hints
      .slice(0, shown)
      .map((text, index) => hang(text[kit.lang], columns, `  ${index + 1}. `).join("\n"));
    const left = exercise.hints.length - shown;
    process.stdout.write(`${[title, ...hints, LEFT(left)[kit.lang]].join("\n\n")}\n`);
    return 0;
  },
};

export default hint;

const LEFT = (left: number): Text => {
  if (left === 0) return { es: "No quedan más pistas.", en: "There are no more hints." };
  if (left === 1) return { es: "Queda 1 pista más.", en: "1 more hint is left." };
  return { es: `Quedan ${left} pistas más.`, en: `${left} more hints are left.` };
};
