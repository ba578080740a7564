import { expect, test } from "vitest";
import { counted, endingOf, words } from "./words.ts";

const KINDS: readonly [outcome: string, kind: string | null][] = [
  ["looped", "some-new-diagnosis"],
  ["stalled", "never-settles"],
  ["stalled", "out-of-time"],
  ["crashed", "out-of-memory"],
  ["crashed", "uncaught"],
  ["crashed", "exited"],
  ["blocked", "network"],
  ["blocked", "filesystem"],
  ["blocked", "process"],
];

test.each(KINDS)("%s %s has an ending of its own words, at most 90 characters in its headline", (outcome, kind) => {
  const ending = endingOf({ outcome, kind });
  for (const lang of ["es", "en"] as const) {
    expect(ending?.headline[lang].length).toBeLessThanOrEqual(90);
    expect(ending?.detail[lang]).toMatch(/\.$/);
    expect(ending?.next[lang]).toMatch(/[.?]$/);
  }
});

test("to return and to throw are no mistakes by themselves", () => {
  expect(endingOf({ outcome: "returned", kind: null })).toBeNull();
  expect(endingOf({ outcome: "threw", kind: null })).toBeNull();
});

test("a kind without words of its own falls back on its outcome", () => {
  expect(endingOf({ outcome: "looped", kind: "some-new-diagnosis" })).toBe(endingOf({ outcome: "looped", kind: null }));
  expect(endingOf({ outcome: "crashed", kind: "exited" })).not.toBe(endingOf({ outcome: "crashed", kind: null }));
});

test("one is singular, in both languages", () => {
  expect(counted.points(1, 1)).toEqual({ es: "1 de 1 punto", en: "1 of 1 point" });
  expect(counted.points(1, 2)).toEqual({ es: "1 de 2 puntos", en: "1 of 2 points" });
  expect(counted.missing(1).es).toMatch(/^Falta 1 respuesta /);
  expect(counted.missing(2).en).toMatch(/^2 answers are /);
  expect(counted.ungraded(1).es).toMatch(/^1 punto no se pudo calificar .* no cuenta /);
});

test("no word is the same in both languages unless it is a name", () => {
  const same = Object.entries(words).filter(([, text]) => text.es === text.en);
  expect(same.map(([name]) => name)).toEqual(["total"]);
});
