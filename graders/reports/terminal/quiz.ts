import type { ExerciseGrade, QuizGrade } from "../../grading/grade.ts";
import { cleanName } from "../clean.ts";
import { counted, words } from "../words.ts";
import { hang, stack } from "./layout.ts";
import { type Page, say } from "./page.ts";

const BODY = "    ";

/** How a quiz stands: what is missing or off, then the conversation and the questions to answer now. */
export function quizRows(page: Page, exercise: ExerciseGrade, verbose: boolean): string[] {
  const { quiz } = exercise;
  if (quiz === null || (!verbose && (exercise.status === "passed" || isSettled(quiz)))) return [];
  return stack(missingRows(page, quiz), offRows(page, quiz), transcriptRows(page, quiz), questionRows(page, quiz));
}

/** All answered, and all right: nothing is left to ask. */
function isSettled(quiz: QuizGrade): boolean {
  return quiz.missing.length === 0 && quiz.off.length === 0 && quiz.nextConversation === null;
}

function missingRows(page: Page, quiz: QuizGrade): string[] {
  if (quiz.missing.length === 0) return [];
  const { lang, width, ink } = page;
  const keys = quiz.missing.map(cleanName).join(", ");
  return [
    ...hang(`${counted.missing(quiz.missing.length)[lang]} ${keys}`, width, "  "),
    ...hang(words.sealed[lang], width, "  ").map((row) => ink.dim(row)),
  ];
}

function offRows(page: Page, quiz: QuizGrade): string[] {
  const { lang, width, ink } = page;
  const moved =
    quiz.nextConversation === null
      ? []
      : hang(counted.nextConversation(quiz.conversation, quiz.nextConversation)[lang], width, "  ");
  if (quiz.off.length === 0) return moved;
  return stack(
    [
      ...hang(words.offIdeas[lang], width, "  ").map((row) => ink.bold(row)),
      ...quiz.off.flatMap((idea) => hang(say(page, idea), width, "  ✗ ").map((row) => ink.red(row))),
      ...hang(words.offWhy[lang], width, "  ").map((row) => ink.dim(row)),
    ],
    moved,
  );
}

function transcriptRows(page: Page, quiz: QuizGrade): string[] {
  const { lang, width, ink } = page;
  return [
    ink.bold(`  ${words.conversation[lang]} ${quiz.nextConversation ?? quiz.conversation}`),
    ...hang(say(page, quiz.transcript), width, BODY).map((row) => row.trimEnd()),
  ];
}

function questionRows(page: Page, quiz: QuizGrade): string[] {
  const { lang, width, ink } = page;
  const questions = quiz.questions.map(({ key, ask, options }) => {
    const open = quiz.missing.includes(key) ? ` · ${words.unanswered[lang]}` : "";
    const all = options === null ? "" : ` (${words.chooseAll[lang]})`;
    const letter = Math.max(0, ...(options ?? []).map(({ id }) => id.length));
    return [
      `${BODY}${ink.cyan(cleanName(key))}${ink.dim(open)}`,
      ...hang(`${say(page, ask)}${all}`, width, `${BODY}  `),
      ...(options ?? []).flatMap(({ id, text }) => hang(say(page, text), width, `${BODY}    ${id.padEnd(letter)}  `)),
    ];
  });
  return [ink.bold(`  ${words.questions[lang]}`), ...stack(...questions)];
}
