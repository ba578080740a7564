import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LANGS } from "../../trace/text.ts";
import { bucle, documentOf, unwrapped } from "../testing/bucle.ts";
import { student } from "../testing/folders.ts";

const WRONG = { callModel: 9 };

test.concurrent("a wrong try uses its conversation up: the next one is shown, and the right answers to the old one come too late", async () => {
  const one = student();
  const check = (...more: string[]) => bucle(["check", "2.1", "--lang", "en", ...more], { cwd: one.cwd });

  one.answer("2.1", WRONG);
  const wrong = await check();
  expect(wrong.code).toBe(1);
  expect(unwrapped(wrong.stdout)).toContain(
    'Now comes 2: the same program with another conversation. Write "conversation": 2',
  );
  expect(one.progress().exercises["2.1"]).toMatchObject({ status: "failed", used: 1, firstTry: "wrong" });

  one.answer("2.1");
  const late = await check("--json");
  expect(late.code).toBe(1);
  expect(documentOf(late).exercises[0]).toMatchObject({
    status: "failed",
    points: { earned: 0 },
    quiz: { conversation: 1, nextConversation: 2, missing: [] },
  });
  const again = await bucle(["start", "--lang", "en"], { cwd: one.cwd });
  expect(conversationIn(again.stdout)).toBe(conversationIn(wrong.stdout));

  one.answer("2.1", answersReadOff(wrong.stdout));
  const right = await check();
  expect(right.code).toBe(0);
  expect(one.progress().exercises["2.1"]).toMatchObject({ status: "passed", used: 1, firstTry: "wrong" });
});

test.concurrent("answers are sealed until all are given: a gap uses nothing up", async () => {
  const one = student();
  one.answer("2.1", { ...WRONG, passes: null });
  const [es, en] = await Promise.all(LANGS.map((lang) => bucle(["check", "2.1", "--lang", lang], { cwd: one.cwd })));
  expect([es?.code, en?.code]).toEqual([1, 1]);
  expect(es?.stdout).toContain("Falta 1 respuesta en answers.json: passes");
  expect(en?.stdout).toContain("1 answer is missing in answers.json: passes");
  expect(one.progress().exercises["2.1"]).not.toHaveProperty("used");
  one.answer("2.1");
  expect((await bucle(["check", "2.1"], { cwd: one.cwd })).code).toBe(0);
});

test.concurrent("what is told of a wrong try is the idea, never the key's right value", async () => {
  const one = student();
  one.answer("2.7", { total: 999 });
  const said = await bucle(["check", "2.7", "--json", "--lang", "en"], { cwd: one.cwd });
  const quiz = documentOf(said).exercises[0]?.quiz;
  expect(quiz?.off).toHaveLength(1);
  expect(quiz?.off.join()).not.toMatch(/\d/);
});

test.concurrent("two checks at once leave the progress whole: one wrong answer uses up one conversation", async () => {
  const one = student();
  one.answer("2.1", WRONG);
  const both = await Promise.all([1, 2].map(() => bucle(["check", "2.1", "--json"], { cwd: one.cwd })));
  expect(both.map(({ code }) => code)).toEqual([1, 1]);
  expect(one.progress()).toMatchObject({
    version: 1,
    exercises: { "2.1": { status: "failed", used: 1, firstTry: "wrong" } },
  });
  expect(readdirSync(join(one.cwd, ".bucle"))).toEqual(["progress.json"]);
});

/** The conversation that a report shows, which is the second one. */
function conversationIn(report: string): string {
  const shown = /\n {2}Conversation 2\n.*\n {2}Questions\n/s.exec(report)?.[0] ?? "";
  expect(shown).toContain("Reply 1");
  return shown;
}

/** The right answers to the conversation that a report shows, found as a reader finds them: by counting. */
function answersReadOff(report: string): Record<string, unknown> {
  const shown = conversationIn(report);
  const count = (pattern: RegExp) => shown.match(pattern)?.length ?? 0;
  const passes = count(/stop_reason: tool_use/g);
  expect(passes).toBeGreaterThan(1);
  return { conversation: 2, callModel: count(/Reply \d/g), executeTool: count(/tool_use \w+ \{/g), passes };
}
