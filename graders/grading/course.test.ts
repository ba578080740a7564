import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareIds, contentHash, editableFiles, isStarted, kitCourse, openCourse, startersNow } from "./course.ts";
import { copyFake, exerciseOf, FAKE, freshFolder, openFake, read, submission } from "./testing/fake.ts";

const temp = freshFolder();
const course = await openFake();
const KETTLE = "fixtures/scenarios/kettle-on.json";
const copy = (name: string) => copyFake(join(temp, name));
const crlf = (text: string) => text.replaceAll("\n", "\r\n");

test("ids are ordered by their numbers: 2.10 after 2.9", () => {
  const ids = ["2.10", "10.1", "2.9", "2.1", "1.11", "1.2"];
  expect(ids.sort(compareIds)).toEqual(["1.2", "1.11", "2.1", "2.9", "2.10", "10.1"]);
});

test("a course holds its exercises in order, whatever the order of their files", async () => {
  const root = copy("ordered");
  const spec = read(root, "graders/specs/1.2-run-the-tool.ts");
  for (const [file, id] of [
    ["1.10-late", "1.10"],
    ["1.9-before", "1.9"],
    ["2.1-next", "2.1"],
  ]) {
    writeFileSync(join(root, "graders/specs", `${file}.ts`), spec.replace(`id: "1.2"`, `id: "${id}"`));
  }
  const { exercises } = await openFake(root);
  expect(exercises.map(({ id, folder, lesson }) => [id, folder, lesson])).toEqual([
    ["1.1", "1.1-count-the-calls", 1],
    ["1.2", "1.2-run-the-tool", 1],
    ["1.9", "1.9-before", 1],
    ["1.10", "1.10-late", 1],
    ["2.1", "2.1-next", 2],
  ]);
});

test("tests beside the specs and folders below them are no exercises", async () => {
  const root = copy("beside");
  submission(join(root, "graders/specs"), {
    "checks.test.ts": "throw 1",
    "checks/checks.ts": "throw 1",
    "notes.md": "-",
  });
  expect((await openFake(root)).exercises).toHaveLength(2);
});

test("a spec may import from a file beside it", async () => {
  const root = copy("imports");
  const specs = join(root, "graders/specs");
  const spec = read(specs, "1.1-count-the-calls.ts").replace("points: 40", "points: POINTS");
  submission(specs, {
    "checks/points.ts": "export const POINTS: number = 40;\n",
    "1.1-count-the-calls.ts": `import { POINTS } from "./checks/points.ts";\n${spec}`,
  });
  expect(exerciseOf(await openFake(root), "1.1").criteria[0]?.points).toBe(40);
});

test("the kit's own course has the same shape", () => {
  const kit = kitCourse(join(import.meta.dirname, "..", ".."), "test");
  const ids = kit.exercises.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort(compareIds));
  expect(ids).toContain("2.3");
  for (const { id, folder } of kit.exercises) expect(folder.startsWith(`${id}-`)).toBe(true);
});

test("a text has one hash, whatever its line ends", () => {
  expect(contentHash("a\r\nb\r\n")).toBe(contentHash("a\nb\n"));
  expect(contentHash("a\nb\n")).not.toBe(contentHash("a\nb"));
});

test("the pack is one, whatever the line ends; it changes with the code, a scenario and a program", async () => {
  const { pack } = course;
  expect(pack).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect((await openCourse(FAKE, "other code")).pack).not.toBe(pack);
  for (const file of [KETTLE, "fixtures/programs/count-the-calls.ts"]) {
    const root = copy(file.replaceAll("/", "-"));
    const text = read(root, file);
    writeFileSync(join(root, file), crlf(text));
    expect((await openFake(root)).pack).toBe(pack);
    writeFileSync(join(root, file), `${text}\n`);
    expect((await openFake(root)).pack).not.toBe(pack);
  }
});

test("a student edits the loop's file and the answers, and nothing else", () => {
  const names = [
    "README.en.md",
    "answers.schema.json",
    "agent.mjs",
    "answers.json",
    "agent.ts",
    "agent.tsx",
    "helper.ts",
  ];
  expect(editableFiles(names)).toEqual(["agent.mjs", "agent.ts", "answers.json"]);
});

test("starters are known by folder and name", () => {
  expect(Object.keys(startersNow(course))).toEqual(["1.1-count-the-calls/answers.json", "1.2-run-the-tool/agent.ts"]);
  expect(Object.fromEntries(course.starters)).toEqual(startersNow(course));
});

test("an exercise is started once its loop or its answers differ from what was there", () => {
  const run = exerciseOf(course, "1.2");
  const agent = read(FAKE, "exercises", run.folder, "agent.ts");
  const started = (name: string, files: Record<string, string>) =>
    isStarted(course, run, submission(join(temp, name), files));
  expect(isStarted(course, run, join(FAKE, "exercises", run.folder))).toBe(false);
  expect(isStarted(course, run, join(temp, "nowhere"))).toBe(false);
  expect(started("windows", { "agent.ts": crlf(agent) })).toBe(false);
  expect(started("read-only", { "agent.ts": agent, "README.en.md": "mine" })).toBe(false);
  expect(started("edited", { "agent.ts": `${agent}\n` })).toBe(true);
  expect(started("in-js", { "agent.ts": agent, "agent.js": agent })).toBe(true);
  mkdirSync(join(temp, "no-file", "agent.ts"), { recursive: true });
  expect(isStarted(course, run, join(temp, "no-file"))).toBe(true);
});

test("a course without a list of starters takes everything for started", async () => {
  const root = copy("no-list");
  writeFileSync(join(root, "fixtures/starters.json"), "{");
  const unlisted = await openFake(root);
  expect(unlisted.starters.size).toBe(0);
  expect(isStarted(unlisted, exerciseOf(unlisted, "1.2"), join(root, "exercises/1.2-run-the-tool"))).toBe(true);
});

test("a scenario is read once", async () => {
  const file = await course.scenario("kettle-on");
  expect(file.userInput).toMatchObject({ en: "Water for {{cups}} cups, please." });
  expect(await course.scenario("kettle-on")).toBe(file);
});

test.each([
  ["missing", null, /ENOENT/],
  ["not JSON", "{ nope", /JSON/],
  ["no scenario", `{ "title": "x" }`, /userInput|tools|replies/],
])("a scenario that is %s is an error that names the file", async (name, text, why) => {
  const root = copy(`scenario-${name.replaceAll(" ", "-")}`);
  if (text !== null) submission(root, { "fixtures/scenarios/odd.json": text });
  const opened = await openFake(root);
  const reading = opened.scenario("odd");
  await expect(reading).rejects.toThrow(/^fixtures\/scenarios\/odd\.json/);
  await expect(reading).rejects.toThrow(why);
});
