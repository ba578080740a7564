/** The files a new diagnosis begins with. The templates stand beside this, as code that compiles. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnosis } from "../../trace/diagnosis.ts";

const FOLDER = "graders/diagnoses";
/** Template, and what stands after the id in the name of the file made from it. */
const FILES = [
  ["diagnosis.ts", ".ts"],
  ["diagnosis-test.ts", ".test.ts"],
  ["page.es.md", ".es.md"],
  ["page.en.md", ".en.md"],
] as const;
const ID = /^[a-z]+(-[a-z]+)*$/;
const LONGEST_ID = 40;

/** Whether the kit's folder holds its sources; a packed kit has none to add to. */
export function isCheckout(root: string): boolean {
  return existsSync(join(root, FOLDER, "scaffold", "diagnosis.ts"));
}

/** Whether a word can name a diagnosis: lower-case words joined by dashes. */
export function isId(word: string): boolean {
  return ID.test(word) && word.length <= LONGEST_ID;
}

/** Those of its files that are there already, as paths from the kit's folder. */
export function existing(root: string, id: string): string[] {
  return FILES.map(([, end]) => `${FOLDER}/${id}${end}`).filter((file) => existsSync(join(root, file)));
}

/**
 * A rank nobody has: among the causes that show in what a loop does, after those in its history and before those in its
 * answer. Whoever writes the diagnosis knows better.
 */
export function freeRank(known: readonly Pick<Diagnosis, "rank">[]): number {
  const taken = new Set(known.map(({ rank }) => rank));
  let rank = 500;
  while (taken.has(rank)) rank += 10;
  return rank;
}

/**
 * Writes a diagnosis that finds nothing yet, a test that fails until it does, and two pages with what goes where.
 * @param root the kit's folder, a checkout
 * @param id not taken: see `existing`
 * @returns the files, as paths from the kit's folder
 */
export function scaffold(root: string, id: string, rank: number): string[] {
  return FILES.map(([template, end]) => {
    const file = `${FOLDER}/${id}${end}`;
    const text = readFileSync(join(root, FOLDER, "scaffold", template), "utf8")
      .replaceAll("some-mistake", id)
      .replace("rank: 0,", `rank: ${rank},`)
      .replace('"./diagnosis.ts"', `"./${id}.ts"`)
      // One folder up: what was above the templates stands beside them now.
      .replaceAll('from "../', 'from "./')
      .replaceAll('from "./../', 'from "../');
    writeFileSync(join(root, file), text, { flag: "wx" });
    return file;
  });
}
