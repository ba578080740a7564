import { expect, test } from "vitest";
import { LANGS } from "../trace/text.ts";
import { behaviours } from "./audit.ts";
import { STEPS } from "./next-steps.ts";

test("every behaviour has a next step of its own, and no other id has", () => {
  expect(Object.keys(STEPS).sort()).toEqual(behaviours.map(({ id }) => id).sort());
});

test.each(Object.entries(STEPS))("%s: the next step is a sentence, in both languages", (_id, step) => {
  for (const lang of LANGS) expect(step[lang]).toMatch(/^[A-ZÁÉÍÓÚÑ].*\.$/);
  expect(step.es).not.toBe(step.en);
});
