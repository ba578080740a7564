import type { Lang } from "../../trace/text.ts";
import { hang, stack, widthOf } from "./layout.ts";
import { finish, openPage } from "./page.ts";

export interface Group {
  title: string;
  /** What is typed, and what it means. */
  entries: readonly (readonly [name: string, text: string])[];
}

/** Narrower than this beside the names, a text goes below its name. */
const NARROWEST_TEXT = 30;
const ENTRY = "  ";

/** Names and what they mean, in groups; the column of the names is the same in all of them. */
export function toList(
  heading: string,
  groups: readonly Group[],
  options: { lang: Lang; colour: boolean; columns: number },
): string {
  const { ink, width } = openPage(options);
  const longest = Math.max(0, ...groups.flatMap(({ entries }) => entries.map(([name]) => widthOf(name))));
  const column = ENTRY.length + longest + 2;
  const beside = width - column >= NARROWEST_TEXT;
  const entryRows = ([name, text]: readonly [string, string]): string[] => {
    if (!beside) return [`${ENTRY}${ink.cyan(name)}`, ...hang(text, width, `${ENTRY}  `)];
    const first = `${ENTRY}${name}`.padEnd(column);
    return hang(text, width, first).map((row, index) =>
      index === 0 ? `${ENTRY}${ink.cyan(name)}${row.slice(ENTRY.length + name.length)}` : row,
    );
  };
  return finish(
    stack(
      hang(heading, width, ""),
      ...groups.map(({ title, entries }) => [ink.bold(title), ...entries.flatMap(entryRows)]),
    ),
  );
}
