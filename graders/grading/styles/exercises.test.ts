/** Every style on the kit's own exercises, drawn conversations held together, included: full marks and no fault. */
import { describe, expect, test } from "vitest";
import { handIn, programsIn } from "./testing/programs.ts";
import { styles } from "./testing/roll.ts";
import { DRAWS, openExercises } from "./testing/rooms.ts";

const handed = styles
  .filter(({ exercises }) => exercises.length > 0)
  .map((style) => ({ ...style, folder: handIn(style) }));

test("every program is asked for some exercise", () => {
  expect(new Set(handed.map(({ program }) => program))).toEqual(new Set(programsIn()));
});

describe.each(DRAWS)("$seed", (draw) => {
  const gradeOn = openExercises(draw);

  test.each(handed)("$name", async ({ folder, exercises }) => {
    const complaints = [];
    for (const id of exercises) {
      const { problem, criteria, runs } = await gradeOn(folder, id);
      const lost = criteria.filter(({ status }) => status !== "passed");
      const found = runs.flatMap(({ scenario, findings }) => findings.map((each) => ({ scenario, ...each })));
      if (problem !== null) complaints.push(`${id}: ${problem.headline.en} ${problem.detail.en}`);
      for (const { id: criterion, message } of lost) complaints.push(`${id} ${criterion}: ${message?.en}`);
      for (const { id: fault, weight, scenario, headline } of found) {
        if (weight === "fault") complaints.push(`${id} ${scenario}: ${fault}: ${headline.en}`);
      }
    }
    expect(complaints).toEqual([]);
  });
});
