/** Every style in the conversations that it claims: it shows all that is to be seen in them, and no fault is found. */
import { describe, expect, test } from "vitest";
import { type Conversation, conversations } from "./testing/conversations.ts";
import { handIn, programsIn } from "./testing/programs.ts";
import { type Style, silent, styles } from "./testing/roll.ts";
import { DRAWS, openWholeHarness } from "./testing/rooms.ts";

const handed = (list: readonly Style[]) => list.map((style) => ({ ...style, folder: handIn(style) }));

test("every program is a style, and every conversation is claimed by some", () => {
  expect(new Set(styles.map(({ program }) => program))).toEqual(new Set(programsIn()));
  expect(new Set(styles.flatMap(({ claims }) => claims))).toEqual(new Set(Object.keys(conversations)));
  for (const { name, exercises, claims } of styles) expect(exercises.length * claims.length, name).toBeGreaterThan(0);
});

describe.each(DRAWS)("$seed", (draw) => {
  const hold = openWholeHarness(draw);
  const complaintsOf = async (folder: string, name: Conversation) => {
    const { lacks, found } = await hold(folder, name);
    const faults = found.filter(({ weight }) => weight === "fault").map(({ id }) => `diagnosed: ${id}`);
    return [...lacks, ...faults].map((complaint) => `${name}, ${complaint}`);
  };

  test.each(handed(styles))("$name", async ({ folder, claims }) => {
    const complaints = [];
    for (const claim of claims) complaints.push(...(await complaintsOf(folder, claim)));
    expect(complaints).toEqual([]);
  });

  test.each(handed(silent))("$name: only the reason is missing", async ({ folder }) => {
    expect(await complaintsOf(folder, "endless")).toEqual([
      "endless, said why: In “endless”: runAgent ends without saying why: it hands back nothing to read.",
    ]);
  });
});
