import { expect, test } from "vitest";
import { soleStopReasonTest } from "./stop-reason.ts";

const line = (text: string) => soleStopReasonTest({ files: [{ name: "agent.ts", text }] })?.line ?? null;

test("the one place that decides by the stop reason", () => {
  expect(line("let r = await callModel({});\nwhile (r.stop_reason === 'tool_use') {}")).toBe(2);
  expect(line("const { stop_reason, content } = r;\n\nif (stop_reason !== 'tool_use') stop(content);")).toBe(3);
  expect(line("\nswitch (r.stop_reason) { case 'tool_use': go(); }")).toBe(2);
  expect(line("\nif (['end_turn', 'max_tokens'].includes(r.stop_reason!)) stop();")).toBe(2);
});

test("not where there are several, or none that decides", () => {
  expect(line("while (r.stop_reason === 'tool_use') {}\nif (r.stop_reason === 'refusal') stop();")).toBeNull();
  expect(line("while (r.content.some(isCall)) {}")).toBeNull();
  expect(line("const why = r.stop_reason;\nuse(why);")).toBeNull();
  expect(line("return { text, stop_reason: 'end' };")).toBeNull();
});
