import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import type { Course } from "./course.ts";
import { createEngine, type Engine } from "./engine.ts";
import { copyFake, FAKE, freshFolder, openFake, read, submission } from "./testing/fake.ts";
import { updateGenerated, verifyCourse } from "./verify.ts";

const COUNT = "1.1-count-the-calls";
const RUN = "1.2-run-the-tool";
const SPEC = { count: `graders/specs/${COUNT}.ts`, run: `graders/specs/${RUN}.ts` };
const KETTLE = "fixtures/scenarios/kettle-on.json";
const WRONG = `solutions/${RUN}/wrong`;

const temp = freshFolder();
let current: Course;
/** One engine for every copy: it looks things up in the course that is being verified. */
const engine = createEngine({
  course: new Proxy({} as Course, { get: (_, key) => Reflect.get(current, key) }),
  runtime: inject("runtime"),
  kit: "test",
  lang: "en",
  seed: "test",
});
afterAll(() => engine.close());

/** What `verifyCourse` opens for each of its workers: the one engine, grading one thing at a time. */
let turn: Promise<unknown> = Promise.resolve();
const openShared = (): Engine => ({
  ...engine,
  gradeExercise: (...asked) => {
    const graded = turn.then(() => engine.gradeExercise(...asked));
    turn = graded;
    return graded;
  },
  close: async () => {},
});

async function verify(root: string) {
  current = await openFake(root);
  return verifyCourse(current, openShared);
}

/** Changes a file, and sees to it that it is changed. */
function edit(root: string, file: string, from: string, to: string): void {
  const text = read(root, file);
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
  writeFileSync(join(root, file), text.replaceAll(from, to));
}

const writeInto = (root: string, file: string, text: string) => submission(root, { [file]: text });
const remove = (root: string, file: string) => rmSync(join(root, file));
/** Brings the generated files up to date with what was broken. */
const update = async (root: string) => updateGenerated(await openFake(root));

/** Runs the tool once more than it was asked to. */
const TWICE = "await executeTool(block.name, block.input);\n      const output = await executeTool";

test("the fake course has no flaw", async () => {
  const { flaws, checked } = await verify(FAKE);
  expect(flaws).toEqual([]);
  expect(checked).toBeGreaterThan(60);
});

/** One break each, and where it must be told, in which words. */
const BREAKS: [string, (root: string) => unknown, [where: string, what: RegExp][]][] = [
  [
    "points that do not add up",
    (root) => edit(root, SPEC.run, "points: 40", "points: 41"),
    [["lesson 1", /add up to 101 points and must add up to 100/]],
  ],
  [
    "points that are not whole",
    (root) => {
      edit(root, SPEC.run, "points: 20", "points: 19.5");
      edit(root, SPEC.count, "points: 40", "points: 40.5");
    },
    [
      [`exercises/${COUNT}`, /`prediction` needs whole, positive points/],
      [`exercises/${RUN}`, /`runs-the-tool` needs whole, positive points/],
    ],
  ],
  [
    "two criteria with one id",
    (root) => edit(root, SPEC.run, "hands-back-the-end", "runs-the-tool"),
    [[`exercises/${RUN}`, /two criteria with the same id/]],
  ],
  [
    "a text without one of the languages",
    (root) => edit(root, SPEC.run, `en: "Who runs the tool?"`, `en: ""`),
    [[`exercises/${RUN}`, /`en` is missing in: hint 1/]],
  ],
  [
    "a README missing in one language",
    (root) => remove(root, `exercises/${RUN}/README.en.md`),
    [[`exercises/${RUN}/README.en.md`, /is missing, or does not say how to check \(`npx bucle check 1\.2`\)/]],
  ],
  [
    "a README that does not say how to check",
    (root) => edit(root, `exercises/${RUN}/README.es.md`, "npx bucle check 1.2", "npx bucle check 1.1"),
    [[`exercises/${RUN}/README.es.md`, /does not say how to check/]],
  ],
  [
    "a broken link in a lesson",
    (root) => edit(root, "lessons/01-one-call/es.md", `exercises/${RUN}`, "exercises/1.3-gone"),
    [["lessons/01-one-call/es.md", /broken link: \.\.\/\.\.\/exercises\/1\.3-gone/]],
  ],
  [
    "a lesson without its twin",
    (root) => remove(root, "lessons/01-one-call/en.md"),
    [["lessons/01-one-call/es.md", /its twin lessons\/01-one-call\/en\.md is missing/]],
  ],
  [
    "a starter that passes already",
    (root) => {
      writeFileSync(join(root, `exercises/${RUN}/agent.ts`), read(root, `solutions/${RUN}/agent.ts`));
      return update(root);
    },
    [[`exercises/${RUN}`, /must fail as shipped, and is `passed`/]],
  ],
  [
    "a solution that fails",
    (root) => edit(root, `solutions/${COUNT}/answers.json`, `"callModel": 2`, `"callModel": 3`),
    [[`solutions/${COUNT}`, /does not pass: \(prediction: The prediction is not complete\.\)/]],
  ],
  [
    "no solution",
    (root) => rmSync(join(root, `solutions/${COUNT}`), { recursive: true }),
    [[`solutions/${COUNT}`, /does not pass/]],
  ],
  [
    "a solution that passes with a diagnosis",
    (root) => edit(root, `solutions/${RUN}/agent.ts`, "const output = await executeTool", TWICE),
    [[`solutions/${RUN}`, /has diagnoses: tool-run-twice/]],
  ],
  [
    "a near miss that makes another mistake",
    (root) =>
      writeInto(
        root,
        `${WRONG}/stopped-early.ts`,
        read(root, `solutions/${RUN}/agent.ts`).replace("return response;", ""),
      ),
    [
      [`${WRONG}/stopped-early.ts`, /does not get its own name/],
      [`${WRONG}/stopped-early.ts`, /another headline in kettle-on: answer-not-returned/],
    ],
  ],
  [
    "a near miss that passes",
    (root) => writeInto(root, `${WRONG}/stopped-early.ts`, read(root, `solutions/${RUN}/agent.ts`)),
    [
      [`${WRONG}/stopped-early.ts`, /must fail, and is `passed`/],
      [`${WRONG}/stopped-early.ts`, /does not get its own name/],
    ],
  ],
  [
    "`teaches` with an id that no diagnosis has",
    (root) => edit(root, SPEC.run, `["stopped-early"]`, `["stopped-early", "too-clever"]`),
    [
      [SPEC.run, /`teaches` names `too-clever`, which is no diagnosis/],
      [WRONG, /a near miss for `too-clever` is missing/],
    ],
  ],
  [
    "a near miss that `teaches` does not name",
    (root) => edit(root, SPEC.run, `["stopped-early"]`, "[]"),
    [[SPEC.run, /`teaches` does not name `stopped-early`/]],
  ],
  [
    "a near miss that is missing",
    (root) => renameSync(join(root, `${WRONG}/stopped-early.ts`), join(root, `${WRONG}/stopped-early.txt`)),
    [[WRONG, /a near miss for `stopped-early` is missing/]],
  ],
  [
    "an outdated answers.schema.json",
    (root) => edit(root, `exercises/${COUNT}/answers.schema.json`, `"tool-ran"`, `"tool-run"`),
    [[`exercises/${COUNT}/answers.schema.json`, /is not what the spec gives/]],
  ],
  [
    "an outdated starters.json",
    (root) => edit(root, `exercises/${RUN}/agent.ts`, "not written yet", "still to be written"),
    [["fixtures/starters.json", /does not match the starting files/]],
  ],
  [
    "a never-ending conversation in lesson 1",
    (root) => {
      const { replies, ...rest } = JSON.parse(read(root, KETTLE));
      writeInto(root, KETTLE, JSON.stringify({ ...rest, replies: replies.slice(0, 1), endless: { from: 0 } }));
    },
    [[KETTLE, /lessons 1 and 2 have no never-ending conversations/]],
  ],
  [
    "a scenario that is not JSON",
    (root) => writeInto(root, KETTLE, "{"),
    [[KETTLE, /^fixtures\/scenarios\/kettle-on\.json: .*JSON/]],
  ],
  [
    "a scenario that is none",
    (root) => edit(root, KETTLE, `"replies"`, `"answers"`),
    [[KETTLE, /^fixtures\/scenarios\/kettle-on\.json.*replies/]],
  ],
  [
    "a family of a quiz with a member that is no scenario",
    (root) => edit(root, SPEC.count, "replies: [", "answers: ["),
    [[SPEC.count, /conversation 1.*replies/]],
  ],
  [
    "a criterion that gives points for nothing",
    (root) =>
      edit(
        root,
        SPEC.run,
        "counts.executeTool >= scenario.expected!.executeTool",
        "scenario.length > 0 || counts.executeTool > 0",
      ),
    [
      [`exercises/${RUN} (returns its input)`, /earns 20 points for nothing/],
      [`exercises/${RUN} (stub)`, /earns 20 points for nothing/],
    ],
  ],
];

test.each(BREAKS)("told: %s", async (name, damage, expected) => {
  const root = copyFake(join(temp, String(BREAKS.findIndex(([other]) => other === name))));
  await damage(root);
  const { flaws } = await verify(root);
  expect(flaws.map(({ where, what }) => [where, what.en])).toEqual(
    expected.map(([where, what]) => [where, expect.stringMatching(what)]),
  );
});

test("a student's changed starters are no flaw of the course", async () => {
  const root = copyFake(join(temp, "student"));
  edit(root, `exercises/${RUN}/agent.ts`, "not written yet", "I am on it");
  writeInto(root, ".bucle/progress.json", `{ "version": 1, "exercises": {} }`);
  expect((await verify(root)).flaws).toEqual([]);
});

test("a text file of the lessons needs a twin by its language, not by the end of its name", async () => {
  const root = copyFake(join(temp, "notes"));
  writeInto(root, "lessons/01-one-call/notes.md", "# Notes\n");
  writeInto(root, "lessons/glossary.en.md", "# Glossary\n");
  expect((await verify(root)).flaws.map(({ where }) => where)).toEqual(["lessons/glossary.en.md"]);
});
