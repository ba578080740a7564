/** What lesson 2 shows must be true of its own exercises: its runnable skeleton is graded as a student would paste it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { kitCourse } from "../grading/course.ts";
import { createEngine } from "../grading/engine.ts";
import { LANGS } from "../trace/text.ts";

const root = resolve(import.meta.dirname, "../..");
const course = kitCourse(root, "test");
const folder = mkdtempSync(join(tmpdir(), "bucle-lesson-"));
const engine = createEngine({ course, runtime: inject("runtime"), kit: "test", lang: "es", seed: "lesson" });
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

function skeletonOf(lang: string): string {
  const lesson = readFileSync(join(root, "lessons", "02-the-core-loop", `${lang}.md`), "utf8");
  const blocks = [...lesson.matchAll(/^```ts runnable\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? "");
  expect(blocks).toHaveLength(1);
  return blocks[0] as string;
}

async function gradePasted(id: string, code: string) {
  const exercise = course.exercises.find((each) => each.id === id);
  if (!exercise) throw new Error(`no exercise ${id}`);
  const place = join(folder, exercise.folder);
  cpSync(join(root, "solutions", exercise.folder), place, { recursive: true });
  writeFileSync(join(place, "agent.ts"), code);
  return engine.gradeExercise(exercise, place);
}

test.each(LANGS)(
  "pasted into 2.3, the %s skeleton passes all but the one demand that is the student's own",
  async (lang) => {
    const grade = await gradePasted("2.3", skeletonOf(lang));
    const failed = grade.criteria.filter(({ status }) => status !== "passed").map(({ id }) => id);
    expect(failed).toEqual(["returns-the-text"]);
  },
);

test.each(["2.4", "2.5"])("pasted into %s it passes", async (id) => {
  expect((await gradePasted(id, skeletonOf("es"))).status).toBe("passed");
});
