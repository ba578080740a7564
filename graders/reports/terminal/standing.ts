import type { Lang, Text } from "../../trace/text.ts";
import { cleanName } from "../clean.ts";
import { counted, words } from "../words.ts";
import { bar, hang, stack, table, widthOf } from "./layout.ts";
import { finish, openPage, type Page, say } from "./page.ts";

export interface Standing {
  /** In course order. */
  exercises: readonly {
    id: string;
    title: Text;
    status: "passed" | "failed" | "untouched";
    /** Files to read, relative to where the student is. */
    lesson?: Text;
    readme?: Text;
  }[];
  /** Id of the exercise to work on now. */
  current: string;
}

const MARK = { passed: "✓", failed: "✗", untouched: "·" } as const;
const BAR_CELLS = 20;

/** What `npm start` says first: how far the student is, what to do now, and that none of it needs a key or a network. */
export function toStanding(standing: Standing, options: { lang: Lang; colour: boolean; columns: number }): string {
  const page = openPage(options);
  const { lang, width, ink } = page;
  const done = standing.exercises.filter(({ status }) => status === "passed").length;
  const all = standing.exercises.length;
  const heading = `${ink.bold("Bucle")}  ${ink.green(bar(done, all, BAR_CELLS))}`;
  const count = counted.exercises(done, all)[lang];
  const inOneRow = "Bucle".length + 2 + BAR_CELLS + 2 + widthOf(count) <= width;
  return finish(
    stack(
      inOneRow ? [`${heading}  ${count}`] : [heading, count],
      lessonsOf(standing).flatMap(([lesson, exercises]) => lessonRows(page, lesson, exercises, standing.current)),
      nowRows(page, standing),
      hang(words.noKey[lang], width, "").map((row) => ink.dim(row)),
    ),
  );
}

type Entry = Standing["exercises"][number];

function lessonsOf({ exercises }: Standing): [string, Entry[]][] {
  const lessons = new Map<string, Entry[]>();
  for (const exercise of exercises) {
    const lesson = exercise.id.split(".")[0] ?? exercise.id;
    lessons.set(lesson, [...(lessons.get(lesson) ?? []), exercise]);
  }
  return [...lessons];
}

/** One lesson on a row, or on as many as it needs: `2.1 ✓   2.2 ✗`, the current one between brackets. */
function lessonRows(page: Page, lesson: string, exercises: readonly Entry[], current: string): string[] {
  const { lang, width, ink } = page;
  const label = `  ${words.lesson[lang]} ${cleanName(lesson)}  `;
  const colour = { passed: ink.green, failed: ink.red, untouched: ink.dim };
  const rows: string[] = [];
  let row = label;
  let used = widthOf(label);
  for (const { id, status } of exercises) {
    const [open, close] = id === current ? ["[", "]"] : [" ", " "];
    const name = cleanName(id);
    const columns = widthOf(name) + 5;
    if (used + columns > width && used > widthOf(label)) {
      rows.push(row.trimEnd());
      row = " ".repeat(widthOf(label));
      used = widthOf(label);
    }
    const body = `${name} ${MARK[status]}`;
    row += `${open}${id === current ? ink.bold(body) : colour[status](body)}${close} `;
    used += columns;
  }
  return [...rows, row.trimEnd()];
}

function nowRows(page: Page, { exercises, current }: Standing): string[] {
  const { lang, width, ink } = page;
  if (exercises.length > 0 && exercises.every(({ status }) => status === "passed")) {
    return hang(words.courseDone[lang], width, "").map((row) => ink.green(row));
  }
  const exercise = exercises.find(({ id }) => id === current);
  const title = exercise ? `${cleanName(current)}  ${say(page, exercise.title)}` : cleanName(current);
  const steps: [string, string][] = [
    ...(exercise?.lesson ? [[words.read[lang], exercise.lesson[lang]] as [string, string]] : []),
    ...(exercise?.readme ? [[words.readme[lang], exercise.readme[lang]] as [string, string]] : []),
    [words.check[lang], `npx bucle check ${cleanName(current)}`],
    [words.hint[lang], `npx bucle hint ${cleanName(current)}`],
  ];
  return stack(
    [
      ...hang(`${words.now[lang]} ${title}`, width, "").map((row) => ink.bold(row)),
      ...hang(words.saveAndSee[lang], width, ""),
    ],
    table(steps, width, "  "),
  );
}
