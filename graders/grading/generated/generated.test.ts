import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openScenario } from "../../model/scenario.ts";
import { parseScenario, type ScenarioFile } from "../../model/scenario-file.ts";
import { exerciseOf, FAKE, freshFolder, openEngine, openFake, read, submission } from "../testing/fake.ts";
import { conversations } from "./conversations.ts";
import { describe } from "./describe.ts";
import { draw, smallest } from "./hunt.ts";
import { keepGenerated, readGenerated } from "./keep.ts";

const temp = freshFolder();
const course = await openFake();
const engine = openEngine(course);
const exercise = exerciseOf(course, "1.2");
const kettle = await course.scenario("kettle-on");
const SOLUTION = read(FAKE, "solutions", exercise.folder, "agent.ts");
const folderOf = (name: string, text: string) => submission(join(temp, name), { "agent.ts": text });

test("every drawn conversation is a scenario that could stand in a file", () => {
  fc.assert(
    fc.property(conversations([kettle])!, (file) => {
      const parsed = parseScenario(JSON.parse(JSON.stringify(file)), "drawn");
      for (const lang of ["es", "en"] as const) {
        const scenario = openScenario(parsed, { name: "drawn", seed: "s", lang });
        expect(scenario.expected!.callModel).toBe(file.replies.length);
        expect(describe(file)[lang]).not.toMatch(/undefined/);
      }
    }),
  );
});

test("nothing is drawn where no scenario has a call to draw from", () => {
  expect(conversations([{ ...kettle, replies: [{ text: "hello {{nonce}}" }] }])).toBeNull();
});

test("nothing is asked that the scenarios do not ask: their tools never fail, so no drawn one does", () => {
  const drawn = fc.sample(conversations([kettle])!, { seed: 1, numRuns: 300 });
  const behaviours = JSON.stringify(drawn.map(({ replies }) => replies));
  expect(behaviours).not.toMatch(/"throws"|"hangs"|"refuse"|"invented"/);
});

const asksFor = (file: ScenarioFile) =>
  Math.max(...file.replies.map((reply) => ("calls" in reply ? reply.calls!.length : 0)));

/** The kettle, and a turn that puts on two. */
const twoKettles: ScenarioFile = {
  ...kettle,
  replies: kettle.replies.map((reply) =>
    "calls" in reply ? { ...reply, calls: [...reply.calls!, ...reply.calls!] } : reply,
  ),
};

test("several calls in a turn are drawn only where a scenario has them", () => {
  const most = (files: ScenarioFile[]) =>
    Math.max(...fc.sample(conversations(files)!, { seed: 1, numRuns: 300 }).map(asksFor));
  expect([most([kettle]), most([kettle, twoKettles])]).toEqual([1, 4]);
});

test("a failure is made as small as it goes, and the same seed finds the same", async () => {
  const search = () =>
    smallest({ files: [twoKettles], tries: 20, seed: "a", fails: async (file) => asksFor(file) >= 2 });
  const found = await search();
  expect(describe(found!).en).toBe("when one turn asks for two tools, with the same tool twice");
  expect(await search()).toEqual(found);
});

test("a search plays what is drawn and, when nothing fails, no more; one that fails on all ends, too", async () => {
  const played: ScenarioFile[] = [];
  const search = { files: [kettle], tries: 7, seed: "a" };
  expect(await smallest({ ...search, fails: async (file) => played.push(file) < 0 })).toBeNull();
  expect(played).toEqual(draw(search));
  played.length = 0;
  const found = await smallest({ ...search, fails: async (file) => played.push(file) > 0 });
  expect(found!.replies).toHaveLength(2);
  expect(played.length).toBeLessThanOrEqual(81);
});

/** It goes through one turn of tools and no more: enough for the exercise's own scenario. */
const ONE_TURN = SOLUTION.replace("while (", "if (");

test("a loop that passes the fixed scenarios and fails a drawn one is told when, and can play it again", async () => {
  expect(ONE_TURN).not.toBe(SOLUTION);
  const folder = folderOf("first", ONE_TURN);
  const grade = await engine.gradeExercise(exercise, folder);
  expect(grade).toMatchObject({
    status: "failed",
    generated: { failed: { when: { en: expect.stringMatching(/^when two turns in a row ask for tools/) } } },
  });
  const own = grade.runs.filter(({ scenario }) => scenario !== "generated");
  expect(own.map(({ outcome, findings }) => [outcome, findings.length])).toEqual([["returned", 0]]);
  const drawn = grade.runs.filter(({ scenario }) => scenario === "generated");
  expect(drawn).toHaveLength(1);
  expect(drawn[0]!.title.en).toMatch(/^Generated conversation: when /);

  keepGenerated(temp, grade);
  const again = await engine.replayExercise(exercise, folder, await readGenerated(join(temp, "1.2.json")));
  expect(again.runs.map(({ findings }) => findings.map(({ id }) => id))).toEqual([
    drawn[0]!.findings.map(({ id }) => id),
  ]);
  expect(again.status).toBe("failed");
});

test("the solution passes what is drawn; what fails the fixed scenarios is shown no more", async () => {
  const solved = await engine.gradeExercise(exercise, folderOf("solved", SOLUTION));
  expect(solved).toMatchObject({ status: "passed", generated: { played: 4, failed: null } });
  const wrong = read(FAKE, "solutions", exercise.folder, "wrong", "stopped-early.ts");
  expect(await engine.gradeExercise(exercise, folderOf("wrong", wrong))).toMatchObject({ generated: null });
});

/** A loop that keeps its messages where the next conversation finds them. */
const SHARED = SOLUTION.replace(
  /^( *)const messages(.*) = \[.*\];$/m,
  '$1messages.push({ role: "user", content: userInput });',
).replace(/^export /m, "const messages: any[] = [];\n\nexport ");

test("a loop whose conversations share their messages fails on the second", async () => {
  expect(SHARED).toMatch(/^const messages/m);
  const grade = await engine.gradeExercise(exercise, folderOf("shared", SHARED));
  expect(grade.status).toBe("failed");
  expect(grade.runs.map(({ title }) => title.en)).toContain("Two conversations, one after the other");
  expect(grade.runs.at(-1)!.findings[0]?.id).toBe("state-shared-between-runs");
});
