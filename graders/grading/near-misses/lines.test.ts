/** The near misses of the exercises are told on the line of the mistake, not on the one that sent what it made. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Exercise } from "../spec.ts";
import { openRoom } from "./room.ts";
import type { Conversation } from "./scenarios.ts";

const specs = import.meta.glob<Exercise>("../../specs/2.*.ts", { eager: true, import: "default" });

const SOLUTIONS = join(import.meta.dirname, "../../../solutions");

/** By exercise and program: the conversation, and what stands on the line. */
const LINES: readonly [program: string, on: Conversation, line: string][] = [
  ["2.2-why-it-never-stops/missing-reassignment.discarded", "two turns", "await callModel("],
  ["2.2-why-it-never-stops/missing-reassignment.never", "two turns", "while (response.stop_reason"],
  ["2.2-why-it-never-stops/missing-reassignment.shadowed", "two turns", "const response = await callModel("],
  ["2.2-why-it-never-stops/missing-reassignment.swallowed", "two turns", "await callModel("],
  ["2.2-why-it-never-stops/missing-reassignment.too-early", "two turns", "let response = await callModel("],
  ["2.2-why-it-never-stops/stopped-early", "two turns", "break;"],
  ["2.3-write-the-loop/answer-not-returned", "thinks before it answers", "return (response.content[0]"],
  ["2.3-write-the-loop/answer-not-returned.in-part", "answers in two texts", "return text?.text"],
  ["2.3-write-the-loop/answer-not-returned.beginning", "two turns", "return response.content"],
  ["2.3-write-the-loop/answer-not-returned.json", "thinks before it answers", "return JSON.stringify("],
  ["2.3-write-the-loop/answer-not-returned.message", "two turns", "return response as"],
  ["2.3-write-the-loop/answer-not-returned.with-thinking", "thinks before it answers", "return response.content"],
  ["2.3-write-the-loop/history-cut-short", "two turns", "response = await callModel("],
  ["2.3-write-the-loop/preamble-as-answer", "two turns", "if (said) return said.text"],
  ["2.3-write-the-loop/prompt-not-sent", "two turns", "const messages: MessageParam[] ="],
  ["2.3-write-the-loop/stopped-early", "two turns without a word", "return response.content"],
  ["2.3-write-the-loop/never-settles", "two turns", "const output = await new Promise("],
  ["2.3-write-the-loop/unawaited-model.step", "two turns", "step(messages, tools);"],
  ["2.3-write-the-loop/unawaited-tool", "two turns", "const output = executeTool("],
  ["2.3-write-the-loop/unserialized-tool-result", "a call without data", "results.push("],
  ["2.3-write-the-loop/unserialized-tool-result.swallowed", "a call without data", "results.push("],
  ["2.3-write-the-loop/whole-response-pushed", "two turns", "messages.push(response)"],
  ["2.4-every-block/dropped-tool-result", "side by side", "results = ["],
  ["2.4-every-block/dropped-tool-result.find", "side by side", "const call = response.content.find("],
  ["2.4-every-block/duplicate-tool-result", "side by side", "results.push("],
  ["2.4-every-block/malformed-tool-result", "side by side", "results.push({ tool_use_id"],
  ["2.4-every-block/split-tool-results", "side by side", 'messages.push({ role: "user", content: [result]'],
  [
    "2.4-every-block/text-before-tool-results",
    "side by side",
    'messages.push({ role: "user", content: [{ type: "text"',
  ],
  ["2.4-every-block/wrong-tool-use-id", "side by side", "results.push("],
  ["2.5-text-only-history/missing-assistant-turn", "two turns", 'messages.push({ role: "user", content: results'],
  ["2.5-text-only-history/partial-turn", "two turns", 'messages.push({ role: "assistant"'],
  ["2.5-text-only-history/partial-turn.last-block", "side by side", 'messages.push({ role: "assistant"'],
  ["2.5-text-only-history/rewritten-history.said-twice", "two turns", 'if (said !== "") messages.push('],
  ["2.5-text-only-history/text-only-history", "two turns", 'messages.push({ role: "assistant", content: textOf('],
  ["2.5-text-only-history/text-only-history.blocks", "two turns", 'messages.push({ role: "assistant"'],
  ["2.5-text-only-history/turns-out-of-order", "two turns", 'messages.push({ role: "user", content: results'],
  ["2.5-text-only-history/wrong-role", "two turns", 'messages.push({ role: "user", content: response.content'],
  ["2.5-text-only-history/wrong-role.nobody", "two turns", "messages.push({ content: response.content"],
  ["2.5-text-only-history/wrong-role.results", "two turns", 'messages.push({ role: "assistant", content: results'],
];

const play = openRoom({ seed: "lines", lang: "en" });

test.each(LINES)("%s", async (program, on, line) => {
  const [exercise = "", file = ""] = program.split("/");
  const text = readFileSync(join(SOLUTIONS, exercise, "wrong", `${file}.ts`), "utf8");
  const { demands = [] } = specs[`../../specs/${exercise}.ts`] ?? {};
  const { found } = await play(text, { on, demands });
  const [headline] = found;
  expect(headline?.id).toBe(file.split(".")[0]);
  expect(text.split(/\r?\n/)[(headline?.at?.line ?? 0) - 1]?.trim().startsWith(line)).toBe(true);
});
