import { expect, test } from "vitest";
import { LANGS } from "../../trace/text.ts";
import { widthOf } from "./layout.ts";
import { type Standing, toStanding } from "./standing.ts";

const IDS = ["1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "3.1", "3.2"];

function standing(passed: number, current: string): Standing {
  return {
    exercises: IDS.map((id, index) => ({
      id,
      title: { es: `Ejercicio ${id}`, en: `Exercise ${id}` },
      status: index < passed ? "passed" : index === passed ? "failed" : "untouched",
    })),
    current,
  };
}

for (const lang of LANGS) {
  test(`where the student stands reads well (${lang})`, async () => {
    const text = toStanding(standing(6, "2.3"), { lang, colour: false, columns: 80 });
    await expect(`${text}\n`).toMatchFileSnapshot(`./golden/standing.${lang}.txt`);
  });
}

test("no row is wider than the terminal", () => {
  for (const columns of [40, 50, 80]) {
    const rows = toStanding(standing(6, "2.3"), { lang: "es", colour: false, columns }).split("\n");
    expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(columns);
  }
});

test("the current exercise is marked and named with what to type", () => {
  const text = toStanding(standing(6, "2.3"), { lang: "en", colour: false, columns: 80 });
  expect(text).toContain("[2.3 ✗]");
  expect(text).toContain("Now: 2.3  Exercise 2.3");
  expect(text).toContain("npx bucle check 2.3");
  expect(text).toContain("No key, no account, no cost, no network");
});

test("once all is passed there is no next exercise, only a congratulation", () => {
  const text = toStanding(standing(IDS.length, "3.2"), { lang: "en", colour: false, columns: 80 });
  expect(text).toContain("13 of 13 exercises");
  expect(text).toContain("You have finished every exercise");
  expect(text).not.toContain("npx bucle");
});
