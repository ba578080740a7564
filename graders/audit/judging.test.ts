import { expect, test } from "vitest";
import { diagnose } from "../diagnoses/catalog/catalog.ts";
import { play } from "../testing/play.ts";
import { fails, firstSentence, holds, notObservable, together, unseen } from "./judging.ts";
import { blank } from "./testing/loops.ts";

const text = (words: string) => ({ es: words, en: words });

test.each([
  ["It stopped. The model waited.", "It stopped."],
  ['It said "Fine. All is well" and ended. So it was.', 'It said "Fine. All is well" and ended.'],
  ["`agent.ts` has 2.5 s. «Y así. Fue»", "`agent.ts` has 2.5 s."],
  ["Terminó. ¿Por qué?", "Terminó."],
  ["One alone", "One alone"],
])("of several sentences the first: %s", (all, first) => {
  expect(firstSentence(all)).toBe(first);
});

test("of several runs the worst failure is told, with its place", () => {
  const told = together([
    fails(text("A."), { severity: "advice" }),
    holds(text("B.")),
    fails(text("C."), { severity: "breaks" }),
    fails(text("D.")),
  ]);
  expect(told).toMatchObject({ status: "fails", message: text("C."), run: 2 });
});

test("what could not be seen comes before what holds", () => {
  expect(together([holds(text("A.")), notObservable(text("B."))])).toMatchObject({ status: "not-observable", run: 1 });
});

test("where all hold each is told, and the same but once", () => {
  expect(together([holds(text("A.")), holds(text("B.")), holds(text("A."))])).toEqual(holds(text("A. B.")));
  expect(together([holds(text("A.")), holds(text("B."))], text("Both."))).toEqual(holds(text("Both.")));
});

test("what an error kept from being seen is told in that error's words", async () => {
  const run = await play(blank);
  const told = unseen({ ...run, findings: diagnose(run) }).message;
  expect(told.en).toBe('It could not be seen: the loop threw `Error`: "No key is set".');
  expect(told.es).toContain("«No key is set»");
});
