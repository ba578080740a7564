import { existsSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openScenario } from "../../model/scenario.ts";
import { type FileReply, parseScenario, type ScenarioFile } from "../../model/scenario-file.ts";
import type { ExerciseGrade } from "../grade.ts";
import { openTogether } from "../runs.ts";
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
  expect(describe(found!).en).toMatch(/^when one turn asks for two tools, with [^,]*$/);
  expect(await search()).toEqual(found);
});

const repliesOf = ({ replies }: ScenarioFile) => replies as FileReply[];
const turnsOf = (file: ScenarioFile) => repliesOf(file).slice(0, -1);
const callsOf = (file: ScenarioFile) => turnsOf(file).flatMap(({ calls = [] }) => calls);
const END = { text: { es: "Listo. {{nonce}}", en: "Done. {{nonce}}" } };
const [boil] = callsOf(kettle);
const list = { tool: "list_everything", input: {}, does: boil!.does };
const any = expect.objectContaining({ does: boil!.does });
const said = expect.objectContaining({ en: expect.any(String) });

/** What a loop may trip over, and the plainest conversation that has it. */
const TRIPS: readonly [what: string, trips: (file: ScenarioFile) => boolean, replies: object[]][] = [
  ["anything", () => true, [{ calls: [boil] }, END]],
  ["two turns", (file) => turnsOf(file).length > 1, [{ calls: [any] }, { calls: [any] }, END]],
  ["two calls", (file) => asksFor(file) > 1, [{ calls: [any, any] }, END]],
  [
    "a tool without arguments",
    (file) => callsOf(file).some(({ tool }) => tool === list.tool),
    [{ calls: [list] }, END],
  ],
  ["text", (file) => turnsOf(file).some(({ text }) => text), [{ text: said, calls: [boil] }, END]],
  ["thinking", (file) => turnsOf(file).some(({ thinking }) => thinking), [{ thinking: said, calls: [boil] }, END]],
  [
    "thinking at the end",
    (file) => repliesOf(file).at(-1)!.thinking !== undefined,
    [{ calls: [boil] }, { ...END, thinking: said }],
  ],
];

test.each(TRIPS)("of a conversation that trips a loop by %s, nothing else is left", async (_what, trips, replies) => {
  for (const seed of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
    const found = await smallest({ files: [twoKettles], tries: 20, seed, fails: async (file) => trips(file) });
    expect(found!.replies, seed).toEqual(replies);
  }
});

test("calls that may be any are unlike each other, so that nobody thinks it is that they are alike", async () => {
  const [first, second] = ["1", "2"].map((cups) => ({ ...boil!, input: { cups } }));
  const world: ScenarioFile = { ...kettle, replies: [{ calls: [first!] }, { calls: [second!] }, END] };
  for (const seed of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
    const found = await smallest({ files: [world], tries: 4, seed, fails: async (file) => turnsOf(file).length > 1 });
    expect(describe(found!).en, seed).toBe("when two turns in a row ask for tools");
    const three = await smallest({ files: [world], tries: 4, seed, fails: async (file) => turnsOf(file).length > 2 });
    expect(describe(three!).en, seed).not.toContain("again");
  }
});

test.each(["a", "b", "c", "d"])(
  "one drawn is longer than the exercise's own, one asks for more, and again for the same (seed %s)",
  (seed) => {
    const [turn] = kettle.replies;
    const drawn = draw({ files: [{ ...kettle, replies: [turn!, turn!, turn!, END] }, twoKettles], tries: 4, seed });
    expect(Math.max(...drawn.map((file) => turnsOf(file).length))).toBeGreaterThanOrEqual(4);
    const wide = drawn.flatMap(turnsOf).filter(({ calls = [] }) => calls.length === 3);
    const twice = ({ calls = [] }: FileReply) =>
      new Set(calls.map(({ tool, input }) => JSON.stringify([tool, input]))).size < calls.length;
    expect(wide.filter(twice)).not.toEqual([]);
    const [first, later] = turnsOf(draw({ files: [kettle], tries: 1, seed })[0]!);
    expect(later!.calls).toEqual(first!.calls);
  },
);

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
  expect(again).toMatchObject({ status: "failed", points: { earned: 0, possible: 0 } });
  expect(again.criteria.map(({ points }) => points.possible)).toEqual([0, 0]);
  const solved = await engine.replayExercise(exercise, folderOf("replayed", SOLUTION), grade.generated!.failed!.file);
  expect(solved).toMatchObject({ status: "passed", points: { earned: 0, possible: 0 }, problem: null });
});

test("a kept conversation goes when none fails alone any more, and stays while there is none to tell", async () => {
  const folder = join(temp, "kept");
  const path = join(folder, "1.2.json");
  const base = await engine.gradeExercise(exercise, folderOf("base", SOLUTION));
  const failed = { file: kettle, when: TEXT, transcript: TEXT };
  const keep = (generated: ExerciseGrade["generated"]) => keepGenerated(folder, { ...base, generated });
  keep({ played: 3, failed: null }); // no folder yet
  keep({ played: 3, failed });
  keep(null);
  expect(existsSync(path)).toBe(true);
  const shared = await engine.gradeExercise(exercise, folderOf("shared-and-kept", SHARED));
  keepGenerated(folder, shared);
  expect(existsSync(path), "it fails only beside others").toBe(false);
  keep({ played: 3, failed });
  keepGenerated(folder, base);
  expect(existsSync(path), "it passes").toBe(false);
});

const TEXT = { es: "x", en: "x" };

test("the solution passes what is drawn; what fails the fixed scenarios is shown no more", async () => {
  const solved = await engine.gradeExercise(exercise, folderOf("solved", SOLUTION));
  expect(solved).toMatchObject({ status: "passed", generated: { played: 3, failed: null } });
  const wrong = read(FAKE, "solutions", exercise.folder, "wrong", "stopped-early.ts");
  expect(await engine.gradeExercise(exercise, folderOf("wrong", wrong))).toMatchObject({ generated: null });
});

test("a long result can be known by its beginning: a loop may cut it short", () => {
  const long = fc
    .sample(conversations([kettle])!, { seed: 1, numRuns: 300 })
    .flatMap(callsOf)
    .map(({ does }) => JSON.stringify(does))
    .filter((does) => does.length > 2500);
  expect(long.length).toBeGreaterThan(0);
  expect(long.filter((does) => does.indexOf("{{nonce}}") > 100)).toEqual([]);
});

test("two conversations held together begin with unlike prompts: whose message is whose can be told", () => {
  for (const seed of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
    const [one, other] = openTogether({ seed, exercise, lang: "en" }, [kettle, kettle], "at-once");
    expect(one!.userInput, seed).not.toBe(other!.userInput);
  }
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
  const held = grade.runs.slice(-2);
  expect(held.map(({ title }) => title)).toEqual(
    [1, 2].map((number) => ({
      es: `Dos conversaciones, una después de la otra (${number} de 2)`,
      en: `Two conversations, one after the other (${number} of 2)`,
    })),
  );
  expect(held.map(({ findings }) => findings[0]?.id)).toEqual([undefined, "state-shared-between-runs"]);
});

/** What stays between conversations, where nothing of the one can be read in the other. */
const STAYS = {
  "a counter of laps": (solution: string) =>
    solution
      .replace(/^export /m, "let laps = 0;\n\nexport ")
      .replace(/while \((.*)\) \{/, "while ($1 && laps < 2) {\n    laps += 1;"),
  "the calls that were seen": (solution: string) =>
    solution
      .replace(/^export /m, "const seen: string[] = [];\n\nexport ")
      .replace(
        /while \((.*)\) \{/,
        "while ($1) {\n    if (seen.length > 1) throw new Error('too many calls');\n    seen.push(response.id);",
      ),
};

test.each(Object.entries(STAYS))("%s: that each conversation goes well alone is what is told", async (_, stays) => {
  const text = stays(SOLUTION);
  const grade = await engine.gradeExercise(exercise, folderOf("stays", text));
  expect(grade).toMatchObject({ status: "failed", generated: { failed: null } });
  const found = grade.runs.map(({ findings }) => findings.filter(({ weight }) => weight === "fault"));
  expect(found.flat().map(({ id }) => id)).toContain("state-shared-between-runs");
  for (const [first, ...others] of found) {
    expect(others).toEqual([]);
    if (first) expect(text.split("\n")[first.at!.line - 1]).toMatch(/laps = 0|seen: string/);
  }
});
