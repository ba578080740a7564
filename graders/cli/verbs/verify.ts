import { resolve } from "node:path";
import { openCourse } from "../../grading/course.ts";
import { updateGenerated, verifyCourse } from "../../grading/verify.ts";
import type { Text } from "../../trace/text.ts";
import { checkLang, openEngine, openKitCourse, seedOf } from "../kit.ts";
import { SEED } from "../options.ts";
import type { Verb } from "../verb.ts";

const verify: Verb = {
  name: "verify",
  order: 90,
  summary: { es: "el curso se comprueba a sí mismo", en: "the course checks itself" },
  options: [
    {
      flags: "--update",
      text: { es: "escribe los archivos que se generan de otros", en: "write the files that are made from others" },
    },
    {
      flags: "--dir",
      value: { es: "carpeta", en: "folder" },
      text: { es: "otro curso con la forma de este", en: "another course shaped like this one" },
    },
    SEED,
  ],
  run: async (kit, _words, options) => {
    checkLang(options);
    const own = openKitCourse(kit);
    const course = typeof options.dir === "string" ? await openCourse(resolve(options.dir), own.pack) : own;
    if (options.update === true) {
      updateGenerated(course);
      return 0;
    }
    const seed = seedOf(options);
    const { flaws, checked } = await verifyCourse(course, () => openEngine(kit, course, { seed }));
    for (const { where, what } of flaws) process.stdout.write(`${where}: ${what[kit.lang]}\n`);
    process.stdout.write(`${COUNTED(seed, checked - flaws.length, flaws.length)[kit.lang]}\n`);
    return flaws.length === 0 ? 0 : 1;
  },
};

export default verify;

const COUNTED = (seed: string, passed: number, failed: number): Text => ({
  es: `verify (--seed ${seed}): ${passed} pasan, ${failed} fallan`,
  en: `verify (--seed ${seed}): ${passed} passed, ${failed} failed`,
});
