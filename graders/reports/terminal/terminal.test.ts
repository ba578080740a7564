import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { ExerciseGrade, Grade, RunGrade } from "../../grading/grade.ts";
import { LANGS } from "../../trace/text.ts";
import * as samples from "../testing/samples.ts";
import { widthOf } from "./layout.ts";
import { toTerminal } from "./terminal.ts";

const { gradeOf, HOSTILE: _lines, ...makers } = samples;
const SAMPLES = Object.entries(makers) as [string, () => ExerciseGrade][];
const PLAIN = { lang: "es", colour: false, columns: 80, verbose: false } as const;

/** Each as a student would read it, in both languages: read the files when they change. */
const GOLDEN: readonly [name: string, grade: () => Grade, options?: { verbose?: boolean; columns?: number }][] = [
  ["passed", () => gradeOf(samples.passed())],
  ["passed-with-advice", () => gradeOf(samples.passedWithAdvice())],
  ["passed-with-fault", () => gradeOf(samples.passedWithFault())],
  ["failed-with-advice", () => gradeOf(samples.failedWithAdvice())],
  ["missing-reassignment", () => gradeOf(samples.loopedOnOldReply())],
  ["missing-reassignment-verbose", () => gradeOf(samples.loopedOnOldReply()), { verbose: true }],
  ["missing-reassignment-narrow", () => gradeOf(samples.loopedOnOldReply()), { columns: 40 }],
  ["printed", () => gradeOf(samples.loopedAndPrinted())],
  ["threw-and-exited", () => gradeOf(samples.threwOnToolError())],
  ["gave-up-well", () => gradeOf(samples.gaveUpWell())],
  ["failed-without-finding", () => gradeOf(samples.failedWithoutFinding())],
  ["does-not-compile", () => gradeOf(samples.doesNotCompile())],
  ["our-error", () => gradeOf(samples.ourError())],
  ["untouched", () => gradeOf(samples.untouched())],
  ["quiz-missing", () => gradeOf(samples.quizMissing())],
  ["quiz-wrong", () => gradeOf(samples.quizWrong())],
  ["hostile", () => gradeOf(samples.hostile())],
  [
    "several",
    () => gradeOf(samples.passed(), samples.gaveUpWell(), samples.quizWrong(), samples.untouched(), samples.ourError()),
  ],
  ["nothing", () => gradeOf()],
];

for (const lang of LANGS) {
  test.each(GOLDEN)(`%s reads well (${lang})`, async (name, grade, options = {}) => {
    const text = toTerminal(grade(), { ...PLAIN, lang, ...options });
    await expect(`${text}\n`).toMatchFileSnapshot(`./golden/${name}.${lang}.txt`);
  });
}

test.each(SAMPLES)("%s: no row is wider than the terminal, in any language, depth or width", (_name, make) => {
  for (const lang of LANGS) {
    for (const columns of [10, 40, 57, 80, 200]) {
      for (const verbose of [false, true]) {
        const rows = toTerminal(gradeOf(make()), { ...PLAIN, lang, columns, verbose, showAll: verbose }).split("\n");
        const widest = rows.reduce((wide, row) => (widthOf(row) > widthOf(wide) ? row : wide));
        expect(widthOf(widest), widest).toBeLessThanOrEqual(Math.min(100, Math.max(40, columns)));
      }
    }
  }
});

test.each(SAMPLES)("%s: colour changes nothing but colour", (_name, make) => {
  const plain = toTerminal(gradeOf(make()), { ...PLAIN, verbose: true });
  const coloured = toTerminal(gradeOf(make()), { ...PLAIN, verbose: true, colour: true });
  expect(coloured).not.toBe(plain);
  expect(stripVTControlCharacters(coloured)).toBe(plain);
});

test("a mistake that cost nothing bears another mark than one that did, below all that passed", () => {
  for (const lang of LANGS) {
    for (const verbose of [false, true]) {
      const text = toTerminal(gradeOf(samples.passedWithFault()), { ...PLAIN, lang, verbose });
      expect(text).not.toContain("✗");
      expect(text.lastIndexOf("✓")).toBeLessThan(text.indexOf("△"));
      expect(text).not.toMatch(/Bien hecho|Well done/);
      expect(toTerminal(gradeOf(samples.loopedOnOldReply()), { ...PLAIN, lang, verbose })).not.toContain("△");
    }
  }
});

test("a conversation that a criterion fails by bears no mark of one that went well", () => {
  const grade = samples.loopedOnOldReply();
  const good = grade.runs.find(({ findings, outcome }) => findings.length === 0 && outcome === "returned")!;
  const markOf = (runs: RunGrade[]) => {
    const rows = toTerminal(gradeOf({ ...grade, runs }), PLAIN).split("\n");
    return rows.find((row) => row.slice(4).startsWith(good.title.es))?.trim()[0];
  };
  expect(markOf(grade.runs)).toBe("✓");
  expect(markOf(grade.runs.map((run) => (run === good ? { ...run, failsCriterion: true } : run)))).toBe("·");
});

test("advice is told in full where no mistake is", () => {
  const detail = /documentación pide/;
  expect(toTerminal(gradeOf(samples.failedWithAdvice()), PLAIN)).toMatch(detail);
  expect(toTerminal(gradeOf(samples.loopedOnOldReply()), PLAIN)).not.toMatch(detail);
});

test("hostile text reaches neither the terminal nor the runner it is shown in", () => {
  for (const showAll of [false, true]) {
    const text = toTerminal(gradeOf(samples.hostile()), { ...PLAIN, verbose: true, showAll });
    expect(text).toContain("::error::x");
    expect(text).not.toMatch(/(?!\n)\p{Control}|\p{Bidi_Control}|\p{Surrogate}|\p{Default_Ignorable_Code_Point}/u);
    expect(text).not.toMatch(/^\s*::/m);
    expect(text).not.toContain("##[");
  }
});

test("every row the student printed is behind a bar", () => {
  const rows = toTerminal(gradeOf(samples.hostile()), PLAIN).split("\n");
  const start = rows.findIndex((row) => row.includes("Lo que imprimió tu código"));
  const end = rows.indexOf("", start);
  expect(end - start).toBeGreaterThan(20);
  expect(rows.slice(start + 1, end).filter((row) => !/^ {4}[│⋮]/.test(row) && !/^ {6}/.test(row))).toEqual([]);
});

test("runs with the same headline are told once, and the other is named", () => {
  const text = toTerminal(gradeOf(samples.loopedOnOldReply()), PLAIN);
  expect(text.split("Tu bucle sigue leyendo la primera respuesta").length - 1).toBe(1);
  expect(text).toMatch(/también en: «Dos llamadas en una\s+respuesta»/);
});

test("a folded run that printed the same says so, unless all is asked for", () => {
  const exercise = samples.loopedOnOldReply();
  for (const run of exercise.runs.slice(0, 2)) run.printed = { head: ["here"], tail: [], omittedLines: 0 };
  const brief = toTerminal(gradeOf(exercise), PLAIN);
  expect(brief.match(/│ here/g)).toHaveLength(1);
  expect(brief).toContain("«Dos llamadas en una respuesta»: imprimió lo mismo");
  expect(toTerminal(gradeOf(exercise), { ...PLAIN, showAll: true }).match(/│ here/g)).toHaveLength(2);
});

test("--verbose is mentioned once, and only where it has more to say", () => {
  const mentions = (grade: Grade, verbose = false) =>
    toTerminal(grade, { ...PLAIN, verbose }).split("--verbose").length - 1;
  expect(mentions(gradeOf(samples.loopedOnOldReply(), samples.threwOnToolError()))).toBe(1);
  expect(mentions(gradeOf(samples.loopedOnOldReply()), true)).toBe(0);
  expect(mentions(gradeOf(samples.doesNotCompile()))).toBe(0);
  expect(mentions(gradeOf(samples.passed()))).toBe(0);
});

test("without --verbose the page of one mistake is named, among the commands, and no other id stands there", () => {
  const whys = (exercises: ExerciseGrade[], options: object = {}) =>
    toTerminal(gradeOf(...exercises), { ...PLAIN, ...options }).match(/Por qué:? +npx bucle explain .*/g) ?? [];
  const { loopedOnOldReply, threwOnToolError, passedWithFault } = samples;
  expect(whys([loopedOnOldReply(), threwOnToolError()])).toEqual([
    "Por qué        npx bucle explain missing-reassignment",
  ]);
  expect(whys([passedWithFault(), threwOnToolError()])).toEqual([
    "Por qué        npx bucle explain tool-error-crashes",
  ]);
  expect(whys([passedWithFault()])).toEqual(["Por qué       npx bucle explain dropped-tool-result"]);
  expect(whys([samples.failedWithAdvice()])).toEqual(["Por qué        npx bucle explain split-tool-results"]);
  for (const make of [samples.passed, samples.doesNotCompile, samples.quizWrong])
    expect(whys([make()]), make.name).toEqual([]);
  const text = toTerminal(gradeOf(loopedOnOldReply(), threwOnToolError()), PLAIN);
  expect(text.replace(/npx bucle explain .*/, "")).not.toMatch(/[a-z]+-[a-z]+-[a-z]+/);
});

test("with --verbose, and where no commands stand below, each mistake names its page beside it", () => {
  for (const options of [{ verbose: true }, { footer: false }]) {
    const text = toTerminal(gradeOf(samples.loopedOnOldReply()), { ...PLAIN, ...options });
    expect(text).toContain("Por qué: npx bucle explain missing-reassignment\n");
    expect(text).not.toMatch(/Por qué +npx/);
  }
});

test("an exercise that asks for the cause before anything is changed does not name it", () => {
  const starter = (quiz: ExerciseGrade["quiz"]): ExerciseGrade => ({
    ...samples.loopedOnOldReply(),
    kind: "debug",
    status: "untouched",
    quiz,
  });
  expect(toTerminal(gradeOf(starter(null)), PLAIN)).toContain("npx bucle explain missing-reassignment");
  const { quiz } = samples.quizMissing();
  for (const verbose of [false, true])
    expect(toTerminal(gradeOf(starter(quiz)), { ...PLAIN, verbose })).not.toMatch(/explain|missing-reassignment/);
});

test("one conversation played alone has no points: it goes well or it does not, and the whole exercise is what is next", () => {
  const unpaid = ({ criteria, ...exercise }: ExerciseGrade): ExerciseGrade => ({
    ...exercise,
    points: { earned: 0, possible: 0 },
    criteria: criteria.map((criterion) => ({ ...criterion, points: { earned: 0, possible: 0 } })),
  });
  const say = (exercise: ExerciseGrade, scenario: string) =>
    toTerminal(gradeOf(unpaid(exercise)), { ...PLAIN, scenario });
  const well = say(samples.passed(), "2.3.json");
  expect(well).toMatch(/^✓ 2\.3 .*\n {2}esta conversación sale bien\n\n {2}✓ Devuelve/);
  expect(well).toMatch(/El ejercicio entero +npx bucle check 2\.3$/m);
  const wrong = say(samples.loopedOnOldReply(), "my files/2.3.json");
  expect(wrong).toMatch(/^✗ 2\.3 .*\n {2}esta conversación aún no sale bien\n/);
  expect(wrong).toMatch(/Al cambiarlo\s+npx bucle check 2\.3 --scenario "my files\/2\.3\.json"$/m);
  for (const text of [well, wrong]) {
    expect(text).toContain("Solo se probó esta conversación");
    expect(text).not.toMatch(/\d+ (de \d+ )?punto|\d\/\d|Bien hecho|█|░/);
  }
});

test("how a run ended and what was counted is said in the reader's language", () => {
  const outcomes = ["returned", "threw", "looped", "stalled", "crashed", "blocked"] as const;
  const [run] = samples.passed().runs as [RunGrade];
  const runs = outcomes.map((outcome) => ({ ...run, outcome }));
  const text = toTerminal(gradeOf({ ...samples.passed(), runs }), { ...PLAIN, verbose: true });
  expect(text).not.toMatch(
    /\b(returned|threw|looped|stalled|crashed|blocked|httpRequests|rejected|faulted|messages)\b/,
  );
});

test("the next step is the first exercise that fails, then one not started, then one of ours", () => {
  const next = (...exercises: ExerciseGrade[]) =>
    /npx bucle \S+(?: [\d.]+)?$/m.exec(
      toTerminal(gradeOf(...exercises), PLAIN)
        .split("───")
        .at(-1)!,
    )?.[0];
  const { passed, ourError, untouched, threwOnToolError, quizMissing } = samples;
  expect(next(passed(), ourError(), untouched(), threwOnToolError(), quizMissing())).toBe("npx bucle check 5.1");
  expect(next(passed(), ourError(), untouched())).toBe("npx bucle check 2.4");
  expect(next(passed(), ourError())).toBe("npx bucle check 2.5");
  expect(next(passed())).toBeUndefined();
  expect(toTerminal(gradeOf(passed()), PLAIN)).toMatch(/Para seguir +npm start/);
});

test("an error of ours shows no points as lost and blames nobody else", () => {
  const text = toTerminal(gradeOf(samples.ourError()), PLAIN);
  expect(text).toContain("el error es nuestro, no tuyo");
  expect(text).toContain("no cuentan en tu contra");
  expect(text).not.toMatch(/✗|░/);
});

test("a quiz says which ideas are off and never which question", () => {
  const text = toTerminal(gradeOf(samples.quizWrong()), PLAIN);
  const told = text.slice(0, text.indexOf("  Preguntas"));
  expect(told).toContain("Qué hace que el bucle termine.");
  expect(told).toContain("Conversación 2");
  expect(told).not.toMatch(/callModel|executeTool|ends/);
});

test("the options of a question keep the order they were given in", () => {
  const text = toTerminal(gradeOf(samples.quizMissing()), PLAIN);
  expect(text.match(/^ {8}([abc]) {2}/gm)?.map((row) => row.trim())).toEqual(["c", "a", "b"]);
});

test("a passed quiz does not ask again", () => {
  const exercise: ExerciseGrade = { ...samples.quizWrong(), status: "passed" };
  expect(toTerminal(gradeOf(exercise), PLAIN)).not.toContain("Preguntas");
  expect(toTerminal(gradeOf(exercise), { ...PLAIN, verbose: true })).toContain("Preguntas");
});
