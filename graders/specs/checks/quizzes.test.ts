import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Exercise, Question } from "../../grading/spec.ts";
import { openScenario } from "../../model/scenario.ts";
import { parseScenario } from "../../model/scenario-file.ts";
import type { Run } from "../../trace/run.ts";
import { LANGS } from "../../trace/text.ts";
import { type Agent, play } from "./play.ts";

/** Once round the longest family, and over its seam. */
const CONVERSATIONS = 9;

const specs = import.meta.glob<Exercise>("../2.*.ts", { eager: true, import: "default" });
const programs = import.meta.glob<Agent>("../../../fixtures/programs/*.ts", {
  eager: true,
  import: "runAgent",
} as never);
const root = new URL("../../../", import.meta.url);

const quizzes = Object.entries(specs).flatMap(([file, exercise]) =>
  exercise.quiz ? [{ folder: basename(file, ".ts"), exercise, quiz: exercise.quiz, answers: [] as Answers[] }] : [],
);
type Answers = Record<string, number | string[]>;

beforeAll(async () => {
  for (const { folder, quiz, answers } of quizzes) {
    for (let conversation = 1; conversation <= CONVERSATIONS; conversation++) {
      const runs: Run[] = [];
      for (const json of quiz.family(conversation)) {
        const scenario = openScenario(parseScenario(json, folder), { name: folder, seed: "a", lang: "es" });
        runs.push(await play(programs[`../../../fixtures/programs/${quiz.program}`]!, scenario));
      }
      answers.push(Object.fromEntries(quiz.questions.map((question) => [question.key, answer(question, runs)])));
    }
  }
});

function answer(question: Question, runs: readonly Run[]): number | string[] {
  if (question.kind === "number") return question.answer(runs);
  return question.options.filter((option) => option.holds(runs)).map(({ id }) => id);
}

const text = (path: string) => readFileSync(new URL(path, root), "utf8");

test("lesson 2 has four quizzes", () => {
  expect(quizzes.map(({ exercise }) => exercise.id)).toEqual(["2.1", "2.2", "2.6", "2.7"]);
});

test("every number is one, and every list of options has two or more that are true and some that is not", () => {
  for (const { quiz, answers } of quizzes) {
    for (const question of quiz.questions) {
      for (const each of answers) {
        const right = each[question.key]!;
        if (question.kind === "number") expect(right).toBeGreaterThanOrEqual(0);
        else {
          expect(question.options).toHaveLength(6);
          expect((right as string[]).length).toBeGreaterThanOrEqual(2);
          expect((right as string[]).length).toBeLessThan(6);
        }
      }
    }
  }
});

test("neighbours of a family never have all their answers in common", () => {
  for (const { answers } of quizzes) {
    answers.slice(1).forEach((each, index) => {
      expect(each).not.toEqual(answers[index]);
    });
  }
});

test("conversation 1 is answered by the reference solution", () => {
  for (const { folder, answers } of quizzes) {
    const { $schema: _, conversation, ...given } = JSON.parse(text(`solutions/${folder}/answers.json`));
    expect(conversation).toBe(1);
    expect(given).toEqual(answers[0]);
  }
});

test("whoever answers at random passes less than 2 % of first tries", () => {
  for (const { quiz } of quizzes) {
    // A generous guesser: picks at least two options, and numbers between 0 and 9.
    const chance = quiz.questions.reduce((product, { kind }) => product * (kind === "number" ? 1 / 10 : 1 / 57), 1);
    expect(chance).toBeLessThan(0.02);
  }
});

test("what students start from has every key, unanswered", () => {
  for (const { folder, quiz } of quizzes) {
    const { $schema, conversation, ...rest } = JSON.parse(text(`exercises/${folder}/answers.json`));
    expect([$schema, conversation]).toEqual(["./answers.schema.json", 1]);
    expect(rest).toEqual(Object.fromEntries(quiz.questions.map(({ key }) => [key, null])));
  }
});

test("the README shows the program as it runs, every question and every option", () => {
  for (const { folder, quiz } of quizzes) {
    const program = text(`fixtures/programs/${quiz.program}`);
    const shown = program.slice(program.indexOf("export async function"));
    for (const lang of LANGS) {
      const readme = text(`exercises/${folder}/README.${lang}.md`);
      expect(readme).toContain(`\`\`\`ts\n${shown}\`\`\``);
      for (const question of quiz.questions) {
        expect(readme).toContain(`\`${question.key}\``);
        expect(readme).toContain(question.ask[lang]);
        if (question.kind === "number") continue;
        for (const option of question.options) expect(readme).toContain(`\`"${option.id}"\`: ${option.text[lang]}`);
      }
    }
  }
});

test("the README lists what is checked, with its points", () => {
  for (const [file, exercise] of Object.entries(specs)) {
    for (const lang of LANGS) {
      const readme = text(`exercises/${basename(file, ".ts")}/README.${lang}.md`);
      for (const { title, points } of exercise.criteria) expect(readme).toContain(`- ${title[lang]} (${points} `);
    }
  }
});
