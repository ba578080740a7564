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
  ["2.3-write-the-loop/stopped-early", "two turns without a word", "if (response.stop_reason"],
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

/** By exercise: what is put in the place of what in its solution, the conversation, and the line that is told. */
interface Slip {
  in: string;
  slip: readonly (readonly [from: string, to: string])[];
  on: Conversation;
  told: string;
  line: string;
}

const LOOP = "2.3-write-the-loop";
const EVERY_BLOCK = "2.4-every-block";

const SLIPS: readonly Slip[] = [
  {
    in: EVERY_BLOCK,
    slip: [
      [
        "      results.push({ type",
        'messages.push({ role: "assistant", content: [call] });\n      results.push({ type',
      ],
      [
        '    messages.push({ role: "assistant", content: response.content });\n    messages.push({ role: "user", content: results });\n',
        "",
      ],
      [
        'results.push({ type: "tool_result", tool_use_id: call.id, content: String(output) });',
        'messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: String(output) }] });',
      ],
    ],
    on: "side by side",
    told: "split-tool-results",
    line: 'messages.push({ role: "assistant", content: [call]',
  },
  {
    in: LOOP,
    slip: [['messages.push({ role: "user", content: results });', "messages.push(...results);"]],
    on: "two turns",
    told: "malformed-tool-result",
    line: "messages.push(...results)",
  },
  {
    in: LOOP,
    slip: [["content: results }", "content: [results] }"]],
    on: "two turns",
    told: "malformed-tool-result",
    line: 'messages.push({ role: "user"',
  },
  {
    in: LOOP,
    slip: [["content: results }", "content: results[0] }"]],
    on: "two turns",
    told: "malformed-tool-result",
    line: 'messages.push({ role: "user"',
  },
  {
    in: LOOP,
    slip: [["content: results }", "content: Promise.all(results) }"]],
    on: "two turns",
    told: "malformed-tool-result",
    line: 'messages.push({ role: "user"',
  },
  {
    in: LOOP,
    slip: [["content: response.content }", "content: [response.content] }"]],
    on: "two turns",
    told: "whole-response-pushed",
    line: 'messages.push({ role: "assistant"',
  },
  {
    in: LOOP,
    slip: [
      [
        "    response = await callModel({ messages, tools });\n  }",
        "    return runAgent(userInput + JSON.stringify(results), tools);\n  }",
      ],
    ],
    on: "two turns",
    told: "restarted-conversation",
    line: "return runAgent(",
  },
  {
    in: LOOP,
    slip: [["executeTool(block.name, block.input)", "executeTool(block.input, block.name)"]],
    on: "two turns",
    told: "wrong-tool-input",
    line: "const output = await executeTool(",
  },
  {
    in: LOOP,
    slip: [
      ['messages.push({ role: "assistant"', 'messages.concat({ role: "assistant"'],
      ['messages.push({ role: "user"', 'messages.concat({ role: "user"'],
    ],
    on: "two turns",
    told: "restarted-conversation",
    line: 'messages.concat({ role: "assistant"',
  },
  {
    in: LOOP,
    slip: [
      [
        'results.push({ type: "tool_result", tool_use_id: block.id, content });',
        'results.push({ type: "tool_result", tool_use_id: block.id, content });\n      break;',
      ],
    ],
    on: "side by side",
    told: "dropped-tool-result",
    line: "break;",
  },
  {
    in: LOOP,
    slip: [["of response.content) {", 'of response.content.filter((each) => each.type === "tool_use").slice(0, 1)) {']],
    on: "side by side",
    told: "dropped-tool-result",
    line: "for (const block of response.content.filter",
  },
  {
    in: EVERY_BLOCK,
    slip: [["      const output", "      if (results.length > 0) {\n        continue;\n      }\n      const output"]],
    on: "side by side",
    told: "dropped-tool-result",
    line: "continue;",
  },
  {
    in: LOOP,
    slip: [["content: results }", "content: JSON.stringify(results) }"]],
    on: "two turns",
    told: "dropped-tool-result",
    line: 'messages.push({ role: "user"',
  },
  {
    in: LOOP,
    slip: [
      [
        'while (response.stop_reason === "tool_use") {',
        'let turns = 0;\n  while (response.stop_reason === "tool_use" && turns++ < 1) {',
      ],
    ],
    on: "two turns",
    told: "preamble-as-answer",
    line: "while (response.stop_reason",
  },
  {
    in: LOOP,
    slip: [['response.stop_reason === "tool_use"', 'response.content[0]?.type === "tool_use"']],
    on: "two turns",
    told: "preamble-as-answer",
    line: "while (response.content[0]",
  },
  {
    in: LOOP,
    slip: [
      [
        'results.push({ type: "tool_result", tool_use_id: block.id, content });',
        'results.push({ type: "tool_result", tool_use_id: block.id });',
      ],
    ],
    on: "two turns",
    told: "result-left-out",
    line: "results.push(",
  },
  {
    in: LOOP,
    slip: [
      [
        'results.push({ type: "tool_result", tool_use_id: block.id, content });',
        'results.push({ type: "tool_result", tool_use_id: block.id, content: content.slice(0, 6) });',
      ],
    ],
    on: "two turns",
    told: "result-left-out",
    line: "results.push(",
  },
  {
    in: LOOP,
    slip: [
      [
        'results.push({ type: "tool_result", tool_use_id: block.id, content });',
        'results.push({ type: "tool_result", toolUseId: block.id, content });',
      ],
    ],
    on: "two turns",
    told: "wrong-tool-use-id",
    line: "results.push(",
  },
  {
    in: EVERY_BLOCK,
    slip: [
      ["const results: ToolResultBlockParam[] = [];", "const outputs: string[] = [];"],
      [
        'results.push({ type: "tool_result", tool_use_id: call.id, content: String(output) });',
        "outputs.unshift(String(output));",
      ],
      [
        "content: results }",
        'content: calls.map(({ id }, i) => ({ type: "tool_result", tool_use_id: id, content: outputs[i] })) }',
      ],
    ],
    on: "side by side",
    told: "wrong-tool-use-id",
    line: "outputs.unshift(",
  },
  {
    in: LOOP,
    slip: [
      [
        '    messages.push({ role: "user", content: results });',
        '    messages.push({ role: "user", content: userInput });\n    messages.push({ role: "user", content: results });',
      ],
    ],
    on: "two turns",
    told: "text-before-tool-results",
    line: 'messages.push({ role: "user", content: userInput',
  },
  {
    in: LOOP,
    slip: [
      [
        'results.push({ type: "tool_result", tool_use_id: block.id, content });',
        'messages.push({ role: "assistant", content: response.content });\n      messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: block.id, content }] });',
      ],
      [
        '    messages.push({ role: "assistant", content: response.content });\n    messages.push({ role: "user", content: results });\n',
        "",
      ],
    ],
    on: "side by side",
    told: "rewritten-history",
    line: 'messages.push({ role: "assistant"',
  },
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

test.each(SLIPS)("$in with a slip: $told on $line", async ({ in: exercise, slip, on, told, line }) => {
  let text = readFileSync(join(SOLUTIONS, exercise, "agent.ts"), "utf8").replaceAll("\r\n", "\n");
  for (const [from, to] of slip) {
    expect(text).toContain(from);
    text = text.replace(from, () => to);
  }
  const { found } = await play(text, { on });
  const [headline] = found;
  expect(headline?.id).toBe(told);
  expect(text.split("\n")[(headline?.at?.line ?? 0) - 1]?.trim().slice(0, line.length)).toBe(line);
});
