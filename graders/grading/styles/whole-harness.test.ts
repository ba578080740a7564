/** Every style in the conversations that it claims: it shows all that is to be seen in them, and no fault is found. */
import { describe, expect, test } from "vitest";
import { UNCERTAIN_NAMES } from "../../model/rules/uncertain.ts";
import type { Scenario } from "../../trace/scenario.ts";
import { type Conversation, conversations } from "./testing/conversations.ts";
import { handIn, programsIn } from "./testing/programs.ts";
import { type Style, silent, styles } from "./testing/roll.ts";
import { DRAWS, openWholeHarness } from "./testing/rooms.ts";

const handed = (list: readonly Style[]) => list.map((style) => ({ ...style, folder: handIn(style) }));

test("every program is a style, and every conversation is claimed by some", () => {
  expect(new Set(styles.map(({ program }) => program))).toEqual(new Set(programsIn()));
  expect(new Set(styles.flatMap(({ claims }) => claims))).toEqual(new Set(Object.keys(conversations)));
  for (const { name, claims } of styles) expect(claims.length, name).toBeGreaterThan(0);
});

/** Asking without tools at the limit is what a soft cap is; whether the API could refuse it, sources disagree. */
const DOUBTS: Readonly<Record<string, readonly string[]>> = {
  "soft-cap": ["tools-missing"],
  "soft-cap, tools: []": ["tools-missing"],
};

describe.each(DRAWS)("$seed", (draw) => {
  const hold = openWholeHarness(draw);
  const complaintsOf = async (folder: string, name: Conversation, changes: Partial<Scenario> = {}) => {
    const { lacks, found, doubts } = await hold(folder, name, changes);
    const faults = found.filter(({ weight }) => weight === "fault").map(({ id }) => `diagnosed: ${id}`);
    return { complaints: [...lacks, ...faults].map((complaint) => `${name}, ${complaint}`), doubts };
  };

  test.each(handed(styles))("$name", async ({ folder, claims, name }) => {
    const complaints: string[] = [];
    const doubts = new Set<string>();
    for (const claim of claims) {
      const held = await complaintsOf(folder, claim);
      complaints.push(...held.complaints);
      for (const doubt of held.doubts) doubts.add(doubt);
    }
    expect(complaints).toEqual([]);
    expect([...doubts]).toEqual(DOUBTS[name] ?? []);
  });

  test.each(handed(silent))("$name: only the reason is missing", async ({ folder }) => {
    const { complaints } = await complaintsOf(folder, "endless");
    expect(complaints).toEqual([
      "endless, said why: In “endless”: runAgent ends without saying why: it hands back nothing to read.",
      "endless, diagnosed: cap-returns-nothing",
    ]);
  });

  const inDoubt = styles.filter(({ name }) => name in DOUBTS || name === "soft-cap, tool_choice: none");

  test.each(handed(inDoubt))("$name, with every uncertain refusal switched on", async ({ folder, name }) => {
    const { complaints } = await complaintsOf(folder, "endless", { uncertain: UNCERTAIN_NAMES });
    expect(complaints.length > 0).toBe(name in DOUBTS);
  });
});
