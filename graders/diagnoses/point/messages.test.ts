import { expect, test } from "vitest";
import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import {
  assistantTurn,
  filteredTurn,
  idlessResult,
  mixesUp,
  noteInLoop,
  overwrittenResults,
  plainResult,
  resultField,
  resultsAsMessages,
  resultsBeforeTurn,
  resultsMessage,
  resultsWithoutTurn,
  secondResult,
  textFirst,
  turnPerCall,
  unflaggedResult,
  untypedResult,
  wholeReply,
  wrongRole,
} from "./messages.ts";

const BEGINNING = [
  "export async function runAgent(userInput, tools) {",
  '  const messages = [{ role: "user", content: userInput }];',
  "  let response = await callModel({ messages, tools });",
  "  const results = [];",
];
const RESULT = '  results.push({ type: "tool_result", tool_use_id: call.id, content: String(output) });';
const FAILURE = '  results.push({ type: "tool_result", tool_use_id: call.id, is_error: true, content: "" });';
const TURN = '  messages.push({ role: "assistant", content: response.content });';
const HANDED = '  messages.push({ role: "user", content: results });';

/** The line that is pointed at in a function with these lines, as its text. */
function pointed(at: (source: Source) => Spot | null, ...lines: string[]): string | null {
  const text = [...BEGINNING, ...lines, "  return response;", "}"];
  const spot = at({ files: [{ name: "agent.ts", text: text.join("\n") }] });
  return spot === null ? null : (text[spot.line - 1] ?? "");
}

test("the model's turn and the message of results are told from the question", () => {
  expect(pointed(assistantTurn, RESULT, TURN, HANDED)).toBe(TURN);
  expect(pointed(resultsMessage, RESULT, TURN, HANDED)).toBe(HANDED);
  expect(pointed(assistantTurn, RESULT, HANDED)).toBeNull();
  expect(pointed(assistantTurn, TURN, TURN)).toBeNull();
  expect(pointed(resultsMessage, HANDED, HANDED)).toBeNull();
  expect(pointed(resultsMessage, '  messages.push({ role: "user", content: "Go on" });')).toBeNull();
});

test("the filter of what is kept as the model's turn, and not one by which calls are looked for", () => {
  const filter = 'response.content.filter((block) => block.type === "tool_use")';
  const kept = `  messages.push({ role: "assistant", content: ${filter} });`;
  const calls = `  const calls = ${filter};`;
  expect(pointed(filteredTurn, kept, RESULT, HANDED)).toBe(kept);
  expect(pointed(filteredTurn, calls, '  messages.push({ role: "assistant", content: calls });')).toBe(calls);
  expect(pointed(filteredTurn, calls, TURN, RESULT, HANDED)).toBeNull();
  expect(pointed(filteredTurn, kept, kept)).toBeNull();
});

test("where ids and results can get mixed up, and not at an id that is the block's own", () => {
  const later = "  results.forEach((result, i) => { result.tool_use_id = ids[i]; });";
  const byName = "  const output = outputs[call.name];";
  const byPlace = RESULT.replace("call.id", "calls[i].id");
  expect(pointed(mixesUp, RESULT, later)).toBe(later);
  expect(pointed(mixesUp, "  outputs[call.name] = await run(call);", byName, RESULT)).toBe(byName);
  expect(pointed(mixesUp, byPlace)).toBe(byPlace);
  expect(pointed(mixesUp, "  const output = await handlers[call.name](call.input);", RESULT)).toBeNull();
});

test("results go back where no turn is kept, or before the turn", () => {
  expect(pointed(resultsWithoutTurn, RESULT, HANDED)).toBe(HANDED);
  expect(pointed(resultsWithoutTurn, RESULT, TURN, HANDED)).toBeNull();
  expect(pointed(resultsWithoutTurn, RESULT, "  messages.push(response);", HANDED)).toBeNull();
  expect(pointed(resultsBeforeTurn, RESULT, HANDED, TURN)).toBe(HANDED);
  expect(pointed(resultsBeforeTurn, RESULT, TURN, HANDED)).toBeNull();
});

test("a text before the results", () => {
  const text = '  messages.push({ role: "user", content: [{ type: "text", text: "Here:" }, ...results] });';
  expect(pointed(textFirst, RESULT, TURN, text)).toBe(text);
  expect(pointed(textFirst, RESULT, TURN, HANDED)).toBeNull();
});

test("a role that does not fit", () => {
  for (const wrong of [
    '  messages.push({ role: "tool", content: results });',
    '  messages.push({ role: "assistant", content: results });',
    '  messages.push({ role: "user", content: response.content });',
    "  messages.push({ content: response.content } as MessageParam);",
  ]) {
    expect(pointed(wrongRole, RESULT, TURN, wrong)).toBe(wrong);
  }
  expect(pointed(wrongRole, RESULT, TURN, HANDED)).toBeNull();
  expect(pointed(wrongRole, RESULT, "  messages.push({ role, content: results });")).toBeNull();
});

test("a whole reply in the history, and not what is taken from one", () => {
  expect(pointed(wholeReply, "  messages.push(response);")).toBe("  messages.push(response);");
  const inContent = '  messages.push({ role: "assistant", content: response });';
  expect(pointed(wholeReply, inContent)).toBe(inContent);
  expect(pointed(wholeReply, TURN, "  log.push(response.usage);")).toBeNull();
});

test("a field of a result: of the good one, of the failed one, of the only one", () => {
  const good = (source: Source) => resultField(source, "content", false);
  const failed = (source: Source) => resultField(source, "content", true);
  const any = (source: Source) => resultField(source, "tool_use_id");
  expect(pointed(good, RESULT, FAILURE)).toBe(RESULT);
  expect(pointed(failed, RESULT, FAILURE)).toBe(FAILURE);
  expect(pointed(any, RESULT)).toBe(RESULT);
  expect(pointed(any, RESULT, FAILURE)).toBeNull();
  expect(pointed(good, RESULT, RESULT)).toBeNull();
});

test("a result that does not say what it is, one made twice, one that takes the place of the others", () => {
  const untyped = "  results.push({ tool_use_id: call.id, content: String(output) });";
  const instead = '  results = [{ type: "tool_result", tool_use_id: call.id, content: String(output) }];';
  const again = '  results.push({ type: "tool_result", tool_use_id: call.id, content: "done" });';
  expect(pointed(untypedResult, untyped)).toBe(untyped);
  expect(pointed(untypedResult, RESULT)).toBeNull();
  expect(pointed(secondResult, RESULT, again, FAILURE)).toBe(again);
  expect(pointed(secondResult, RESULT, FAILURE)).toBeNull();
  expect(pointed(overwrittenResults, instead)).toBe(instead);
  expect(pointed(overwrittenResults, RESULT)).toBeNull();
});

test("results put among the messages, one by one or as a list", () => {
  const spread = "  messages.push(...results);";
  expect(pointed(resultsAsMessages, RESULT, TURN, spread)).toBe(spread);
  const joined = "  messages = [...messages, ...results];";
  expect(pointed(resultsAsMessages, RESULT, TURN, joined)).toBe(joined);
  const single = '  messages.push({ type: "tool_result", tool_use_id: call.id, content });';
  expect(pointed(resultsAsMessages, TURN, single)).toBe(single);
  const made = "  const made = await Promise.all(calls.map((call) => ({ tool_use_id: call.id })));";
  expect(pointed(resultsAsMessages, made, "  messages.push(...made);")).toBe("  messages.push(...made);");
  expect(pointed(resultsAsMessages, RESULT, TURN, HANDED)).toBeNull();
  expect(pointed(resultsAsMessages, RESULT, "  messages.push(...notes);", "  log.push(...results);")).toBeNull();
});

test("a result without the id of a call, and one without content", () => {
  const idless = '  results.push({ type: "tool_result", toolUseId: call.id, content: String(output) });';
  expect(pointed(idlessResult, idless, TURN, HANDED)).toBe(idless);
  expect(pointed(idlessResult, RESULT, TURN, HANDED)).toBeNull();
  const hollow = '  results.push({ type: "tool_result", tool_use_id: call.id });';
  expect(pointed(plainResult, hollow, TURN, HANDED)).toBe(hollow);
  expect(pointed(plainResult, RESULT, FAILURE)).toBe(RESULT);
  expect(pointed(plainResult, RESULT, hollow)).toBeNull();
});

test("a result of a call that went wrong, without the flag", () => {
  const plain = '    results.push({ type: "tool_result", tool_use_id: call.id, content: "not now" });';
  const run = "    const output = await executeTool(call.name, call.input);";
  const each = (...lines: string[]) => ["  for (const call of calls) {", ...lines, "  }"];
  expect(pointed(unflaggedResult, ...each("    if (isLate(call)) {", plain, "    }", run, RESULT))).toBe(plain);
  expect(pointed(unflaggedResult, ...each("    try {", run, RESULT, "    } catch {", plain, "    }"))).toBe(plain);
  expect(pointed(unflaggedResult, ...each("    try {", run, RESULT, "    } catch {", FAILURE, "    }"))).toBeNull();
});

test("a message of the user's on each pass, and the model's turn once for each call", () => {
  const note = '    messages.push({ role: "user", content: userInput });';
  const loop = (...lines: string[]) => ["  while (true) {", ...lines, "  }"];
  expect(pointed(noteInLoop, ...loop(RESULT, TURN, note, HANDED))).toBe(note);
  expect(pointed(noteInLoop, ...loop(RESULT, TURN, HANDED))).toBeNull();
  const each = ["  for (const call of calls) {", "    await executeTool(call.name);", TURN, "  }"];
  expect(pointed(turnPerCall, ...each)).toBe(TURN);
  expect(pointed(turnPerCall, ...loop(TURN))).toBeNull();
});
