/**
 * The course checks itself: that each exercise can be failed and passed, that each near miss gets its own name, and that
 * every text is there in both languages. The authors of exercises run it, and so do the tests.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { diagnoses } from "../diagnoses/catalog/catalog.ts";
import { LANGS, type Text } from "../trace/text.ts";
import { answersSchema } from "./answers-schema.ts";
import { type Course, type CourseExercise, editableFiles, isStarted, STARTERS, startersNow } from "./course.ts";
import type { Engine } from "./engine.ts";
import type { ExerciseGrade } from "./grade.ts";

/** Something that is not as it must be. */
export interface Flaw {
  /** File or exercise, relative to the course. */
  where: string;
  what: Text;
}

export interface Verification {
  flaws: Flaw[];
  /** How many things were looked at. */
  checked: number;
}

/** Points of all exercises of one lesson together. */
const LESSON_POINTS = 100;

/** Submissions that do nothing: none may earn a point. */
const IDLE_SUBMISSIONS: Record<string, (starter: string) => string> = {
  empty: () => "",
  "commented out": (starter) => starter.replace(/^/gm, "// "),
  stub: () => "export async function runAgent() {}\n",
  "returns its input": () => "export default async (input) => input;\n",
};

/**
 * @param course what to verify
 * @param openEngine a new engine for the course; one per worker is opened and closed
 */
export async function verifyCourse(course: Course, openEngine: () => Engine): Promise<Verification> {
  const flaws: Flaw[] = [];
  let checked = 0;
  const look: Look = (where, holds, what) => {
    checked += 1;
    if (!holds) flaws.push({ where, what: typeof what === "function" ? what() : what });
  };
  checkPoints(course, look);
  checkStarters(course, look);
  checkLessons(course, look);
  const gradable: CourseExercise[] = [];
  for (const exercise of course.exercises) {
    checkTexts(course, exercise, look);
    // Without sound scenarios nothing of an exercise can be graded: one flaw, and not one more for each submission.
    if (await checkScenarios(course, exercise, look)) gradable.push(exercise);
  }
  await inParallel(gradingJobs(course, gradable), openEngine, look);
  return { flaws: flaws.sort((a, b) => (a.where < b.where ? -1 : 1)), checked };
}

type Look = (where: string, holds: boolean, what: Text | (() => Text)) => void;

function checkPoints(course: Course, look: Look): void {
  for (const lesson of new Set(course.exercises.map((exercise) => exercise.lesson))) {
    const exercises = course.exercises.filter((exercise) => exercise.lesson === lesson);
    const points = exercises.flatMap(({ criteria }) => criteria).reduce((sum, each) => sum + each.points, 0);
    look(`lesson ${lesson}`, points === LESSON_POINTS, {
      es: `sus ejercicios suman ${points} puntos y deben sumar ${LESSON_POINTS}`,
      en: `its exercises add up to ${points} points and must add up to ${LESSON_POINTS}`,
    });
  }
}

function checkStarters(course: Course, look: Look): void {
  const now = startersNow(course);
  const fresh = JSON.stringify(now) === JSON.stringify(Object.fromEntries(course.starters));
  look(STARTERS, fresh || isStudentCopy(course), {
    es: "no coincide con los archivos de partida; si el cambio es tuyo y deliberado: `npx bucle verify --update`",
    en: "does not match the starting files; if the change is yours and on purpose: `npx bucle verify --update`",
  });
}

/** A student who has begun has changed starters, and that is no flaw of the course: those are not looked at. */
function isStudentCopy(course: Course): boolean {
  return existsSync(join(course.root, ".bucle", "progress.json"));
}

function checkTexts(course: Course, exercise: CourseExercise, look: Look): void {
  const where = `exercises/${exercise.folder}`;
  const texts: [string, Text][] = [
    ["title", exercise.title],
    ...exercise.hints.map((hint, index): [string, Text] => [`hint ${index + 1}`, hint]),
    ...exercise.criteria.map((criterion): [string, Text] => [`criterion ${criterion.id}`, criterion.title]),
    ...(exercise.quiz?.questions ?? []).flatMap(({ key, ask, idea }): [string, Text][] => [
      [`question ${key}`, ask],
      [`idea of ${key}`, idea],
    ]),
  ];
  for (const [name, text] of texts) {
    for (const lang of LANGS) {
      look(where, (text[lang] ?? "").trim() !== "", {
        es: `falta \`${lang}\` en: ${name}`,
        en: `\`${lang}\` is missing in: ${name}`,
      });
    }
  }
  const ids = exercise.criteria.map(({ id }) => id);
  look(where, new Set(ids).size === ids.length, {
    es: "dos criterios con el mismo id",
    en: "two criteria with the same id",
  });
  for (const { id, points } of exercise.criteria) {
    look(where, Number.isInteger(points) && points > 0, {
      es: `el criterio \`${id}\` necesita puntos enteros y positivos`,
      en: `criterion \`${id}\` needs whole, positive points`,
    });
  }
  for (const lang of LANGS) {
    const file = join(course.root, where, `README.${lang}.md`);
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    look(`${where}/README.${lang}.md`, text.includes(`npx bucle check ${exercise.id}`), {
      es: `falta, o no dice cómo se comprueba (\`npx bucle check ${exercise.id}\`)`,
      en: `is missing, or does not say how to check (\`npx bucle check ${exercise.id}\`)`,
    });
    checkLinks(course, `${where}/README.${lang}.md`, text, look);
  }
  if (exercise.quiz) {
    const file = join(course.root, where, "answers.schema.json");
    const text = existsSync(file) ? readFileSync(file, "utf8").replaceAll("\r\n", "\n") : "";
    look(`${where}/answers.schema.json`, text === answersSchema(exercise), {
      es: "no es el que sale de la especificación: `npx bucle verify --update`",
      en: "is not what the spec gives: `npx bucle verify --update`",
    });
  }
  const wrong = nearMisses(course, exercise).map(({ id }) => id);
  for (const id of exercise.teaches) {
    look(`solutions/${exercise.folder}/wrong`, wrong.includes(id), {
      es: `falta un casi acierto para \`${id}\``,
      en: `a near miss for \`${id}\` is missing`,
    });
    look(
      `graders/specs/${exercise.folder}.ts`,
      diagnoses.some((diagnosis) => diagnosis.id === id),
      {
        es: `\`teaches\` nombra \`${id}\`, que no es un diagnóstico`,
        en: `\`teaches\` names \`${id}\`, which is no diagnosis`,
      },
    );
  }
  for (const id of wrong) {
    look(`graders/specs/${exercise.folder}.ts`, exercise.teaches.includes(id), {
      es: `\`teaches\` no nombra \`${id}\`, aunque hay un casi acierto`,
      en: `\`teaches\` does not name \`${id}\`, though there is a near miss`,
    });
  }
}

/** @returns whether all of them are sound */
async function checkScenarios(course: Course, exercise: CourseExercise, look: Look): Promise<boolean> {
  let sound = true;
  for (const name of exercise.scenarios ?? []) {
    const file = `fixtures/scenarios/${name}.json`;
    try {
      const { endless } = await course.scenario(name);
      const fits = exercise.lesson > 2 || endless === undefined;
      sound &&= fits;
      look(file, fits, {
        es: "las lecciones 1 y 2 no tienen conversaciones sin fin",
        en: "lessons 1 and 2 have no never-ending conversations",
      });
    } catch (error) {
      const { message, text } = error as Error & { text?: Text };
      sound = false;
      look(file, false, text ?? { es: message, en: message });
    }
  }
  return (await checkFamily(exercise, look)) && sound;
}

/** Members of a quiz's family that are looked at: once round the longest there is, and over its seam. */
const MEMBERS = 12;

async function checkFamily({ quiz, folder }: CourseExercise, look: Look): Promise<boolean> {
  if (!quiz) return true;
  const { parseScenario } = await import("../model/scenario-file.ts");
  const where = `graders/specs/${folder}.ts`;
  try {
    for (let member = 1; member <= MEMBERS; member++) {
      for (const json of quiz.family(member)) parseScenario(json, `${where}, conversation ${member}`);
    }
    look(where, true, { es: "", en: "" });
    return true;
  } catch (error) {
    const { message, text } = error as Error & { text?: Text };
    look(where, false, text ?? { es: message, en: message });
    return false;
  }
}

function checkLessons(course: Course, look: Look): void {
  const folder = join(course.root, "lessons");
  if (!existsSync(folder)) return;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  for (const file of files) {
    const shown = `lessons/${file.replaceAll("\\", "/")}`;
    const twin = shown.replace(/(?<=[/.])(es|en)\.md$/, (_, lang: string) => (lang === "es" ? "en.md" : "es.md"));
    look(shown, existsSync(join(course.root, twin)), {
      es: `falta su pareja ${twin}`,
      en: `its twin ${twin} is missing`,
    });
    checkLinks(course, shown, readFileSync(join(folder, file), "utf8"), look);
  }
}

/** Writes the files that are made from others: the starters' hashes, and each quiz's schema. */
export function updateGenerated(course: Course): void {
  writeFileSync(join(course.root, STARTERS), `${JSON.stringify(startersNow(course), null, 2)}\n`);
  for (const exercise of course.exercises) {
    if (!exercise.quiz) continue;
    writeFileSync(join(course.root, "exercises", exercise.folder, "answers.schema.json"), answersSchema(exercise));
  }
}

/** Links to other files of the course must hold. */
function checkLinks(course: Course, file: string, text: string, look: Look): void {
  for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(https?:|#|mailto:)/.test(target)) continue;
    const path = join(course.root, dirname(file), target.split("#")[0] ?? "");
    look(file, existsSync(path), { es: `enlace roto: ${target}`, en: `broken link: ${target}` });
  }
}

/** One submission to grade, and what must come of it. */
interface Job {
  where: string;
  exercise: CourseExercise;
  /** Files over those of the solution. */
  files: Record<string, string> | null;
  /** Folder to start from. */
  from: string;
  judge(grade: ExerciseGrade, look: Look): void;
}

function gradingJobs(course: Course, exercises: readonly CourseExercise[]): Job[] {
  return exercises.flatMap((exercise): Job[] => {
    const solution = join(course.root, "solutions", exercise.folder);
    const starter = join(course.root, "exercises", exercise.folder);
    const code = (exercise.scenarios ?? []).length > 0;
    const starterText =
      code && existsSync(join(starter, "agent.ts")) ? readFileSync(join(starter, "agent.ts"), "utf8") : "";
    const jobs: Job[] = [
      { where: `solutions/${exercise.folder}`, exercise, files: null, from: solution, judge: mustPass },
    ];
    const mine = isStudentCopy(course) && isStarted(course, exercise, starter);
    const shipped = existsSync(starter) && !mine;
    if (shipped) {
      const where = `exercises/${exercise.folder}`;
      jobs.push({ where, exercise, files: touched(starter), from: starter, judge: mustFail });
    }
    if (shipped && code) {
      for (const [name, make] of Object.entries(IDLE_SUBMISSIONS)) {
        const where = `exercises/${exercise.folder} (${name})`;
        jobs.push({
          where,
          exercise,
          files: { "agent.ts": make(starterText) },
          from: starter,
          judge: mustScoreNothing,
        });
      }
    }
    for (const { id, file, text } of nearMisses(course, exercise)) {
      const where = relative(course.root, file).replaceAll("\\", "/");
      jobs.push({ where, exercise, files: { "agent.ts": text }, from: solution, judge: mustBeNamed(id) });
    }
    return jobs;
  });
}

/** What a student starts from, with a blank line more: as it is it counts as untouched, and earns nothing whatever it does. */
function touched(starter: string): Record<string, string> {
  const files = editableFiles(readdirSync(starter));
  return Object.fromEntries(files.map((name) => [name, `${readFileSync(join(starter, name), "utf8")}\n`]));
}

function mustPass(this: Job, grade: ExerciseGrade, look: Look): void {
  look(this.where, grade.status === "passed", () => ({
    es: `no pasa: ${why(grade, "es")}`,
    en: `does not pass: ${why(grade, "en")}`,
  }));
  const found = [...new Set(grade.runs.flatMap(({ findings }) => findings.map(({ id }) => id)))];
  look(this.where, found.length === 0, {
    es: `tiene diagnósticos: ${found.join(", ")}`,
    en: `has diagnoses: ${found.join(", ")}`,
  });
}

function mustFail(this: Job, grade: ExerciseGrade, look: Look): void {
  look(this.where, grade.status !== "passed" && grade.status !== "error", () => ({
    es: `tal como se entrega debe fallar, y da \`${grade.status}\` ${why(grade, "es")}`,
    en: `must fail as shipped, and is \`${grade.status}\` ${why(grade, "en")}`,
  }));
}

function mustScoreNothing(this: Job, grade: ExerciseGrade, look: Look): void {
  const { earned } = grade.points;
  look(this.where, earned === 0 && grade.status !== "error", () => ({
    es: `gana ${earned} puntos sin hacer nada ${why(grade, "es")}`,
    en: `earns ${earned} points for nothing ${why(grade, "en")}`,
  }));
}

function mustBeNamed(id: string) {
  return function judge(this: Job, grade: ExerciseGrade, look: Look): void {
    const headlines = grade.runs
      .map(({ scenario, findings }) => ({ scenario, id: findings.find(({ weight }) => weight === "fault")?.id }))
      .filter((each) => each.id !== undefined);
    const others = headlines.filter((each) => each.id !== id).map((each) => `${each.scenario}: ${each.id}`);
    const named = headlines.some((each) => each.id === id);
    look(this.where, grade.status === "failed", () => ({
      es: `debe fallar, y da \`${grade.status}\` ${why(grade, "es")}`,
      en: `must fail, and is \`${grade.status}\` ${why(grade, "en")}`,
    }));
    look(this.where, named, { es: "no recibe su propio nombre", en: "does not get its own name" });
    look(this.where, others.length === 0, {
      es: `otro titular en ${others.join("; ")}`,
      en: `another headline in ${others.join("; ")}`,
    });
  };
}

function why(grade: ExerciseGrade, lang: "es" | "en"): string {
  if (grade.problem) return `(${grade.problem.headline[lang]} ${grade.problem.detail[lang]})`;
  const failed = grade.criteria
    .filter(({ status }) => status !== "passed")
    .map(({ id, message }) => `${id}: ${message?.[lang]}`);
  const found = grade.runs.map(
    ({ scenario, outcome, kind, findings }) => `${scenario} ${kind ?? outcome} [${findings.map(({ id }) => id)}]`,
  );
  return `(${[...failed, ...found].join("; ")})`;
}

export function nearMisses(course: Course, exercise: CourseExercise): { id: string; file: string; text: string }[] {
  const folder = join(course.root, "solutions", exercise.folder, "wrong");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => ({
      id: name.split(".")[0] ?? "",
      file: join(folder, name),
      text: readFileSync(join(folder, name), "utf8"),
    }));
}

async function inParallel(jobs: Job[], openEngine: () => Engine, look: Look): Promise<void> {
  const queue = [...jobs];
  const workers = Math.max(1, Math.min(availableParallelism(), 4, queue.length));
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const engine = openEngine();
      try {
        for (let job = queue.shift(); job !== undefined; job = queue.shift()) await gradeJob(job, engine, look);
      } finally {
        await engine.close();
      }
    }),
  );
}

async function gradeJob(job: Job, engine: Engine, look: Look): Promise<void> {
  const grade = (folder: string) => engine.gradeExercise(job.exercise, folder);
  job.judge(await (job.files === null ? grade(job.from) : withFiles(job.from, job.files, grade)), look);
}

/** Does something with a copy of a submission's folder in which these files are put over its own; the copy is gone after it. */
export async function withFiles<T>(
  from: string,
  files: Readonly<Record<string, string>>,
  act: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bucle-verify-"));
  try {
    cpSync(from, folder, { recursive: true, filter: (path) => basename(path) !== "wrong" });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
