import { expect, test } from "vitest";
import { bucle, EXERCISES } from "../testing/bucle.ts";
import { student } from "../testing/folders.ts";

test.concurrent("one more hint each time, how many are left, and the last time again all of them", async () => {
  const { cwd, progress } = student();
  const numbered = (stdout: string) => [...stdout.matchAll(/^ {2}(\d)\. /gm)].map(([, number]) => Number(number));
  const left = {
    es: ["Quedan 2 pistas más.", "Queda 1 pista más.", "No quedan más pistas."],
    en: "There are no more hints.",
  };
  for (const [index, rest] of left.es.entries()) {
    const said = await bucle(["hint", "2.2", "--lang", "es"], { cwd });
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toMatch(/^2\.2 {2}Por qué no se detiene\n/);
    expect(numbered(said.stdout)).toEqual([1, 2, 3].slice(0, index + 1));
    expect(said.stdout.endsWith(`\n${rest}\n`)).toBe(true);
  }
  const again = await bucle(["hint", "2.2", "--lang", "en"], { cwd });
  expect(numbered(again.stdout)).toEqual([1, 2, 3]);
  expect(again.stdout.endsWith(`\n${left.en}\n`)).toBe(true);
  expect(progress().exercises).toEqual({ "2.2": { hints: 3 } });
});

test.concurrent("without an id the hint is of the current exercise", async () => {
  const one = student();
  const [first, second] = EXERCISES;
  one.solve(first?.id ?? "");
  await bucle(["check"], { cwd: one.cwd });
  const said = await bucle(["hint", "--lang", "en"], { cwd: one.cwd });
  expect(said.stdout.split("\n")[0]).toBe(`${second?.id}  ${second?.title.en}`);
  expect(said.stdout).toContain("2 more hints are left.");
});
