import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { play } from "../../testing/play.ts";
import { endless } from "../../testing/scripts.ts";
import { honest } from "../testing/agents.ts";
import { byFile, diagnose, diagnoses, stopWhen } from "./catalog.ts";

const names = readdirSync(new URL("..", import.meta.url))
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.replace(/\.ts$/, ""));

test("every file is one diagnosis with its test, and its id is its name", () => {
  const files = names.filter((name) => !name.endsWith(".test"));
  expect(Object.keys(byFile).toSorted()).toEqual(files.toSorted());
  for (const [file, { id }] of Object.entries(byFile)) expect(id).toBe(file);
  expect(files.filter((file) => !names.includes(`${file}.test`))).toEqual([]);
});

test("ranks are unique, and advice comes after every fault", () => {
  const ranks = diagnoses.map(({ rank }) => rank);
  expect(new Set(ranks).size).toBe(ranks.length);
  expect(diagnoses.map(({ weight }) => weight)).toEqual(
    diagnoses
      .map(({ weight }) => weight)
      .toSorted()
      .toReversed(),
  );
});

test("what a diagnosis explains exists and is not itself", () => {
  for (const { id, explains = [] } of diagnoses) {
    for (const other of explains) expect(byFile[other], `${id} explains ${other}`).toBeDefined();
    expect(explains).not.toContain(id);
  }
});

test("no two diagnoses explain each other, or both would vanish", () => {
  const explains = (a: string, b: string): boolean => byFile[a]?.explains?.includes(b) ?? false;
  const mutual = diagnoses.flatMap(({ id, explains: others = [] }) => others.filter((other) => explains(other, id)));
  expect(mutual).toEqual([]);
});

test("root causes come in this order", () => {
  expect(diagnoses.map(({ id }) => id)).toMatchInlineSnapshot(`
    [
      "network",
      "filesystem",
      "process",
      "out-of-memory",
      "exited",
      "busy-loop",
      "idle-loop",
      "model-never-asked",
      "state-shared-between-runs",
      "fault-swallowed",
      "missing-reassignment",
      "prompt-not-sent",
      "restarted-conversation",
      "no-iteration-cap",
      "off-by-one-cap",
      "budget-ignored",
      "abort-ignored",
      "no-progress-not-detected",
      "kept-going-after-end",
      "refusal-retried",
      "unapproved-call-run",
      "truncated-tool-call-run",
      "refused-tool-call-run",
      "allowed-call-refused",
      "truncated-as-answer",
      "refusal-as-answer",
      "cut-stream-as-answer",
      "pause-turn-as-end",
      "context-window-as-answer",
      "unawaited-model",
      "unawaited-tool",
      "whole-response-pushed",
      "wrong-role",
      "turns-out-of-order",
      "text-only-history",
      "partial-turn",
      "missing-assistant-turn",
      "orphaned-tool-result",
      "history-cut-short",
      "rewritten-history",
      "wrong-tool-use-id",
      "answered-server-tool",
      "duplicate-tool-result",
      "malformed-tool-result",
      "dropped-tool-result",
      "result-left-out",
      "unserialized-tool-result",
      "text-before-tool-results",
      "split-tool-results",
      "empty-error-result",
      "empty-message-pushed",
      "dropped-thinking",
      "pause-turn-with-new-message",
      "wrong-tool-input",
      "partial-json-parsed",
      "tool-not-run",
      "tool-run-twice",
      "tools-not-resent",
      "unknown-tool-crashes",
      "tool-error-crashes",
      "overload-not-retried",
      "rejection-swallowed",
      "preamble-as-answer",
      "legitimate-repeat-broken",
      "stopped-early",
      "answer-not-returned",
      "cap-returns-nothing",
      "retry-storm",
      "rejected-request-retried",
      "hanging-tool-not-cut",
      "never-settles",
      "out-of-time",
      "uncaught",
      "threw",
      "tool-error-unflagged",
      "result-flagged-as-error",
      "forced-tool-choice",
      "first-call-only",
    ]
  `);
});

test("a run ends at the first diagnosis that says so, and is found by it", async () => {
  const run = await play(honest, { script: endless, cap: 10 });
  expect(stopWhen(run.trace, run.scenario, { cap: 10 })).toBe("no-iteration-cap");
  expect(stopWhen(run.trace, run.scenario, { cap: 20 })).toBeNull();
  expect(diagnose(run).map(({ id, weight }) => [id, weight])).toEqual([["no-iteration-cap", "fault"]]);
});

test("an error that another fault explains is left out", async () => {
  const run = await play(async ({ callModel }) => callModel({ messages: [{ role: "tool", content: "x" }] }));
  expect(diagnose(run).map(({ id }) => id)).toEqual(["wrong-role"]);
});

test("requests that make no sense at all are read without a crash", async () => {
  const odd = [null, 3, "x", [], {}, { role: "assistant" }, { role: "user", content: [null, 7, {}] }];
  const blocks = [
    { type: "tool_result" },
    { type: "tool_result", tool_use_id: {}, content: 5 },
    { type: "tool_use", name: [], id: 4 },
    { type: "text" },
  ];
  const bodies = [
    { messages: odd },
    { messages: 5 },
    { messages: [{ role: {}, content: blocks }] },
    {
      messages: [
        { role: "assistant", content: blocks },
        { role: "user", content: blocks },
        { role: "user", content: blocks },
      ],
    },
    { messages: [{ role: "user", content: { stop_reason: 1 } }], tools: "none" },
  ];
  for (const body of bodies) {
    const run = await play(async (hands) => {
      const { content } = await hands.callModel({ messages: [{ role: "user", content: "x" }], tools: hands.tools });
      const more = Array.isArray(body.messages)
        ? { messages: [{ role: "assistant", content }, ...body.messages] }
        : body;
      await hands.callModel({ ...body, ...more }).catch(() => {});
      await hands.callModel(body);
    });
    for (const { headline, detail } of diagnose(run)) expect(`${headline.es}${detail.es}`).not.toBe("");
  }
});
