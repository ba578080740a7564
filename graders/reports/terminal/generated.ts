import type { ExerciseGrade } from "../../grading/grade.ts";
import { cleanName } from "../clean.ts";
import { hang, stack } from "./layout.ts";
import { type Page, say } from "./page.ts";

const BODY = "    ";

/**
 * The smallest drawn conversation that a loop fails, turn by turn, and how to play it again; a row on how many it passed.
 * @param kept folder in which such conversations are kept, as the student would write it; null where they are not
 */
export function generatedRows(page: Page, { id, generated }: ExerciseGrade, kept: string | null): string[] {
  if (generated === null) return [];
  const { lang, width, ink } = page;
  const { failed, played } = generated;
  if (failed === null) {
    const row = { es: `${played} conversaciones generadas: las pasa`, en: `${played} generated conversations: passed` };
    return hang(row[lang], width, "  ").map((line) => ink.dim(line));
  }
  const told = { es: `Tu bucle falla ${failed.when.es}.`, en: `Your loop fails ${failed.when.en}.` };
  const again = `npx bucle check ${cleanName(id)} --scenario ${kept}/${cleanName(id)}.json`;
  return stack(
    [...hang(told[lang], width, "  "), ...hang(SMALLEST[lang], width, "  ").map((row) => ink.dim(row))],
    say(page, failed.transcript)
      .split("\n")
      .flatMap((line) => hang(line, width, `${BODY}│ `, `${BODY}│   `)),
    kept === null ? [] : hang(`${AGAIN[lang]} ${again}`, width, `${BODY}→ `),
  );
}

const SMALLEST = {
  es: "Es la conversación más corta que se encontró en la que pasa:",
  en: "This is the shortest conversation found in which it happens:",
};
const AGAIN = { es: "Repite solo esa:", en: "Play that one again:" };
