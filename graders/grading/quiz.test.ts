import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createRandom, type Random } from "../model/seed.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import { runtimeUrl } from "../sandbox/spawn.ts";
import type { Run } from "../trace/run.ts";
import { LANGS } from "../trace/text.ts";
import { type CourseExercise, kitCourse } from "./course.ts";
import { type Answers, judge, openFamily, readAnswers, runFamily, showQuiz } from "./quiz.ts";
import type { Question, Quiz } from "./spec.ts";
import { exerciseOf, freshFolder, openEngine, openFake, submission } from "./testing/fake.ts";

const runtime = inject("runtime");
const course = await openFake();
const count = exerciseOf(course, "1.1");
const quiz = quizOf(count);

function quizOf({ id, quiz }: CourseExercise): Quiz {
  if (!quiz) throw new Error(`${id} has no quiz`);
  return quiz;
}

/** Answers as read from a file that holds them. */
function answersOf(conversation: number, values: Record<string, unknown>): Answers {
  const checked = readAnswers({ conversation, ...values }, quiz);
  if (!checked.ok) throw new Error(JSON.stringify(checked.misfits));
  return checked.answers;
}

describe("what is read", () => {
  const right = { conversation: 1, callModel: 2, ending: ["returned"] };

  test.each<[string, unknown, key: string, why: RegExp]>([
    ["no object", null, "", /not a JSON object/],
    ["a list", [right], "", /not a JSON object/],
    ["a text", "callModel", "", /not a JSON object/],
    ["a conversation in quotes", { ...right, conversation: "1" }, "conversation", /whole number from 1/],
    ["conversation 0", { ...right, conversation: 0 }, "conversation", /whole number from 1/],
    ["half a conversation", { ...right, conversation: 1.5 }, "conversation", /whole number from 1/],
    ["a conversation beyond all", { ...right, conversation: 1e9 }, "conversation", /whole number from 1/],
    ["a number in quotes", { ...right, callModel: "2" }, "callModel", /without quotes/],
    ["a number below nothing", { ...right, callModel: -1 }, "callModel", /whole number/],
    ["half a number", { ...right, callModel: 2.5 }, "callModel", /whole number/],
    ["a list for a number", { ...right, callModel: [2] }, "callModel", /whole number/],
    ["an option that is not in a list", { ...right, ending: "returned" }, "ending", /a list with one or more of/],
    ["an option that is none", { ...right, ending: ["returned", "exploded"] }, "ending", /"tool-ran"/],
    ["an option twice", { ...right, ending: ["returned", "returned"] }, "ending", /a list/],
    ["an option that is no text", { ...right, ending: [["returned"]] }, "ending", /a list/],
  ])("refused, by name: %s", (_, json, key, why) => {
    const checked = readAnswers(json, quiz);
    if (checked.ok) throw new Error("was taken");
    expect(checked.misfits).toHaveLength(1);
    const [misfit] = checked.misfits;
    expect(misfit?.key).toBe(key);
    expect(misfit?.why.en).toMatch(why);
    expect(misfit?.why.es).not.toBe(misfit?.why.en);
  });

  test("every field that is refused is told, not only the first", () => {
    const checked = readAnswers({ conversation: 0, callModel: "2", ending: "returned" }, quiz);
    expect(!checked.ok && checked.misfits.map(({ key }) => key)).toEqual(["conversation", "callModel", "ending"]);
  });

  test("what is missing, null or inherited is not answered yet, and other keys are ignored", () => {
    const json = Object.assign(Object.create({ callModel: 2 }), { ending: null, $schema: "x", mood: "fine" });
    const answers = { conversation: 1, values: { callModel: null, ending: null } };
    expect(readAnswers(json, quiz)).toEqual({ ok: true, answers });
    expect(readAnswers({}, quiz)).toEqual({ ok: true, answers });
  });
});

describe("what is judged", () => {
  const sandbox = createSandbox({ runtime });
  afterAll(() => sandbox.close());
  let runs: Run[] = [];
  beforeAll(async () => {
    runs = await runFamily(course, count, 1, "en", sandbox, runtimeUrl(runtime));
  });

  test("right answers are right in any order", () => {
    const answers = answersOf(1, { callModel: 2, ending: ["tool-ran", "returned", "model-answered"] });
    expect(judge(answers, quiz, runs)).toEqual({ missing: [], right: ["callModel", "ending"], wrong: [] });
  });

  test("an option too few and one too many are wrong", () => {
    for (const ending of [
      ["tool-ran", "returned"],
      ["tool-ran", "returned", "model-answered", "threw"],
    ]) {
      const result = judge(answersOf(1, { callModel: 2, ending }), quiz, runs);
      expect(result).toEqual({ missing: [], right: ["callModel"], wrong: ["ending"] });
    }
  });

  test("an empty list is no answer yet: it uses up no conversation", () => {
    const read = readAnswers({ conversation: 1, callModel: 2, ending: [] }, quiz);
    expect(read).toMatchObject({ ok: true, answers: { values: { ending: null } } });
  });

  test("nothing is judged while an answer is missing", () => {
    const sealed = judge(answersOf(1, { callModel: 99, ending: null }), quiz, runs);
    expect(sealed).toEqual({ missing: ["ending"], right: [], wrong: [] });
    expect(judge(answersOf(1, {}), quiz, []).missing).toEqual(["callModel", "ending"]);
  });
});

describe("one try a conversation", () => {
  const engine = openEngine(course);
  const temp = freshFolder();
  const RIGHT = { 1: 2, 2: 3, 3: 1 } as const;
  const grade = (name: string, conversation: 1 | 2 | 3, off: number | null, used: number) => {
    const ran = RIGHT[conversation] > 1 ? ["tool-ran"] : [];
    const callModel = off === null ? null : RIGHT[conversation] + off;
    const json = { conversation, callModel, ending: ["returned", "model-answered", ...ran] };
    const folder = submission(join(temp, name), { "answers.json": JSON.stringify(json) });
    return engine.gradeExercise(count, folder, used);
  };

  test("a right try passes and leads nowhere", async () => {
    const { status, quiz: shown } = await grade("right", 1, 0, 0);
    expect(status).toBe("passed");
    expect(shown).toMatchObject({ conversation: 1, nextConversation: null, missing: [], off: [] });
  });

  test("a wrong try names the idea that is off and shows the next conversation", async () => {
    const { status, points, quiz: shown } = await grade("wrong", 1, 1, 0);
    expect([status, points.earned]).toEqual(["failed", 0]);
    expect(shown).toMatchObject({ conversation: 1, nextConversation: 2, missing: [] });
    expect(shown?.off.map(({ en }) => en)).toEqual(["Who asks the model, and when."]);
    expect(shown?.transcript.en.match(/tool_use boil/g)).toHaveLength(2);
  });

  test("an incomplete try is not judged and stays where it is", async () => {
    const { status, quiz: shown } = await grade("incomplete", 1, null, 0);
    expect(status).toBe("failed");
    expect(shown).toMatchObject({ conversation: 1, nextConversation: null, missing: ["callModel"], off: [] });
    expect(shown?.transcript.es.match(/tool_use boil/g)).toHaveLength(1);
  });

  test("a conversation that was used up is not judged again, be the answers right or wrong", async () => {
    const [right, wrong] = [await grade("again-right", 2, 0, 2), await grade("again-wrong", 2, 5, 2)];
    expect([right.status, right.points.earned]).toEqual(["failed", 0]);
    expect(right.quiz).toMatchObject({ conversation: 2, nextConversation: 3, missing: [], off: [] });
    expect(wrong).toEqual(right);
    expect(right.criteria[0]?.message?.en).toMatch(/Conversation 2 was used up .* counts now is 3/);
    expect((await grade("earlier", 1, 0, 2)).quiz).toMatchObject({ conversation: 1, nextConversation: 3, off: [] });
  });

  test("the next conversation is judged", async () => {
    expect((await grade("third", 3, 0, 2)).status).toBe("passed");
  });
});

describe("what is shown", () => {
  const sealed = { missing: [], right: [], wrong: [] };
  const shownFor = (exercise: CourseExercise, conversation: number) =>
    showQuiz(exercise, { conversation, values: {} }, sealed, null);
  const ordersOf = (exercise: CourseExercise, conversation: number) =>
    shownFor(exercise, conversation).questions.map(({ options }) => options?.map(({ id }) => id) ?? null);

  test("every option, in an order of the conversation's own", () => {
    const orders = [1, 2, 3, 4, 5, 6, 7, 8].map((conversation) => ordersOf(count, conversation)[1]);
    expect(ordersOf(count, 1)[1]).toEqual(orders[0]);
    expect(new Set(orders.map(String)).size).toBeGreaterThan(4);
    for (const order of orders) expect(order?.toSorted()).toEqual(["model-answered", "returned", "threw", "tool-ran"]);
  });

  test("a wrong try shows the next one's questions, a conversation of its own in both languages", () => {
    const next = showQuiz(count, { conversation: 1, values: {} }, sealed, 2);
    expect(next).toEqual({ ...shownFor(count, 2), conversation: 1, nextConversation: 2 });
    expect(next.transcript.es).toMatch(/^El usuario dice: ¿Hay té\?\nRespuesta 1: tool_use boil/);
    expect(next.transcript.en).toMatch(/^The user says: Is there any tea\?\nReply 1: tool_use boil/);
  });
});

const kit = kitCourse(join(import.meta.dirname, "..", ".."), basename(dirname(runtime)));
const quizzed = kit.exercises.filter((exercise) => exercise.quiz !== undefined);
const SEED = "answers at random";
const DRAWS = 20_000;

describe.each(quizzed.map((exercise) => [exercise.folder, exercise] as const))("%s", (_, exercise) => {
  const { questions } = quizOf(exercise);
  /** The runs of conversation 1, 2, … */
  const members: Run[][] = [];
  beforeAll(async () => {
    const sandbox = createSandbox({ runtime });
    for (let conversation = 1; conversation <= 9; conversation += 1) {
      members.push(await runFamily(kit, exercise, conversation, "es", sandbox, runtimeUrl(runtime)));
    }
    await sandbox.close();
  });

  const rightFor = (runs: readonly Run[]): Answers["values"] =>
    Object.fromEntries(questions.map((question) => [question.key, rightAnswer(question, runs)]));
  const passes = (values: Answers["values"], runs: readonly Run[]) => {
    const { right } = judge({ conversation: 1, values }, quizOf(exercise), runs);
    return right.length === questions.length;
  };

  test("right answers can be given: whole numbers, and at least two options that are true and one that is not", () => {
    for (const runs of members) {
      const values = rightFor(runs);
      const checked = readAnswers({ conversation: 1, ...values }, quizOf(exercise));
      expect(checked).toEqual({ ok: true, answers: { conversation: 1, values } });
      expect(passes(values, runs)).toBe(true);
      for (const question of questions) {
        if (question.kind === "number") continue;
        const { length } = values[question.key] as string[];
        expect(length).toBeGreaterThanOrEqual(2);
        expect(length).toBeLessThan(question.options.length);
      }
    }
  });

  test("what was right for one conversation is not right for the next", () => {
    for (const [index, runs] of members.entries()) {
      const next = members[index + 1];
      if (next === undefined) continue;
      expect(rightFor(next)).not.toEqual(rightFor(runs));
      expect(passes(rightFor(runs), next)).toBe(false);
    }
  });

  test(`answers at random pass fewer than 2 % of first tries (seed "${SEED}")`, () => {
    const random = createRandom(`${SEED}/${exercise.id}`);
    for (const runs of members.slice(0, 3)) {
      // What holds is the same for every draw: it is asked of the runs once.
      const settled = questions.map((question) => settledFor(question, runs));
      let passed = 0;
      for (let draw = 0; draw < DRAWS; draw += 1) {
        const values = Object.fromEntries(questions.map((question) => [question.key, anyAnswer(question, random)]));
        if (judge({ conversation: 1, values }, { ...quizOf(exercise), questions: settled }, runs).wrong.length === 0) {
          passed += 1;
        }
      }
      expect(passed / DRAWS).toBeLessThan(0.02);
    }
  });

  test("nothing that is shown comes from the right answers", () => {
    const blind = { ...exercise, quiz: { ...quizOf(exercise), questions: questions.map(blinded) } };
    const wrong = { missing: [], right: [], wrong: questions.map(({ key }) => key) };
    const shown = showQuiz(blind, { conversation: 1, values: {} }, wrong, 2);
    expect(shown).toEqual(showQuiz(exercise, { conversation: 1, values: {} }, wrong, 2));
    for (const question of shown.questions) {
      expect(Object.keys(question)).toEqual(["key", "ask", "options"]);
      for (const option of question.options ?? []) expect(Object.keys(option)).toEqual(["id", "text"]);
    }
    const optionIds = questions.flatMap((question) => (question.kind === "options" ? question.options : []));
    for (const idea of shown.off) {
      for (const lang of LANGS) {
        expect(idea[lang]).not.toMatch(/\d/);
        for (const { id, text } of optionIds) {
          expect(idea[lang]).not.toContain(id);
          expect(idea[lang]).not.toContain(text[lang]);
        }
      }
    }
  });

  test("the conversation shown is the one that is run, in both languages", () => {
    for (const [index, runs] of members.entries()) {
      const shown = showQuiz(
        exercise,
        { conversation: index + 1, values: {} },
        { missing: [], right: [], wrong: [] },
        null,
      );
      expect(runs.map(({ scenario }) => scenario.name)).toEqual(
        openFamily(exercise, index + 1, "en").map(({ name }) => name),
      );
      for (const { scenario } of runs) expect(shown.transcript.es).toContain(scenario.userInput);
      const replies = (lang: "es" | "en") => shown.transcript[lang].match(/stop_reason: \w+/g);
      expect(replies("es")).toEqual(replies("en"));
    }
  });
});

function rightAnswer(question: Question, runs: readonly Run[]): number | string[] {
  if (question.kind === "number") return question.answer(runs);
  return question.options.filter((option) => option.holds(runs)).map(({ id }) => id);
}

/** A number from 0 to 12, or one of the sets of options that are not empty: each as likely as any other. */
function anyAnswer(question: Question, random: Random): number | string[] {
  if (question.kind === "number") return random.int(0, 12);
  const set = random.int(1, 2 ** question.options.length - 1);
  return question.options.filter((_, index) => (set & (1 << index)) !== 0).map(({ id }) => id);
}

/** The same question with its answer worked out. */
function settledFor(question: Question, runs: readonly Run[]): Question {
  if (question.kind === "number") {
    const right = question.answer(runs);
    return { ...question, answer: () => right };
  }
  return {
    ...question,
    options: question.options.map((option) => {
      const right = option.holds(runs);
      return { ...option, holds: () => right };
    }),
  };
}

/** The same question, whose answer nobody can ask for. */
function blinded(question: Question): Question {
  const never = () => {
    throw new Error("the right answer was asked for");
  };
  if (question.kind === "number") return { ...question, answer: never };
  return { ...question, options: question.options.map((option) => ({ ...option, holds: never })) };
}
