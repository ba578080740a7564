import { expect, test } from "vitest";
import { COMMON } from "./options.ts";
import type { Verb } from "./verb.ts";

const verbs = Object.values(
  import.meta.glob<Verb>(["./verbs/*.ts", "!./verbs/*.test.ts"], { eager: true, import: "default" }),
);

/** `serve --json` prints a line for each event, not a document; `verify --dir` is a course, not a folder of exercises. */
const TWO_MEANINGS = ["--json", "--dir"];

test("an option that several verbs have is told in the same words by each", () => {
  const told = new Map<string, Set<string>>();
  for (const { flags, value, text } of [...COMMON, ...verbs.flatMap(({ options = [] }) => options)]) {
    told.set(flags, (told.get(flags) ?? new Set()).add(JSON.stringify([value, text])));
  }
  const differing = [...told].filter(([, wordings]) => wordings.size > 1).map(([flags]) => flags);
  expect(differing).toEqual(TWO_MEANINGS);
});
