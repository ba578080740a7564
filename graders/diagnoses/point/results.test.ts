import { expect, test } from "vitest";
import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { fixedContent, takesAnyToolUse } from "./results.ts";

const line = (point: (source: Source) => Spot | null, text: string) =>
  point({ files: [{ name: "agent.ts", text }] })?.line ?? null;

test("a result whose content is written in the source", () => {
  expect(line(fixedContent, "push({\n  type: 'tool_result',\n  tool_use_id: b.id,\n  content: 'ok',\n});")).toBe(4);
  expect(line(fixedContent, "push({ tool_use_id: b.id, content: `done` });")).toBe(1);
});

test("not an error's, not one that holds a value, and not one of two", () => {
  expect(line(fixedContent, "push({ tool_use_id: b.id, content: 'denied', is_error: true });")).toBeNull();
  expect(line(fixedContent, "push({ tool_use_id: b.id, content: `$" + "{output}` });")).toBeNull();
  expect(line(fixedContent, "push({ tool_use_id: b.id, content });")).toBeNull();
  expect(line(fixedContent, "push({ role: 'user', content: 'ok' });")).toBeNull();
  expect(line(fixedContent, "f({ tool_use_id: 1, content: 'a' }); f({ tool_use_id: 2, content: 'b' });")).toBeNull();
});

test("where the API's own tools are taken for the host's", () => {
  expect(line(takesAnyToolUse, "for (const b of c)\n  if (b.type.endsWith('tool_use')) run(b);")).toBe(2);
  expect(line(takesAnyToolUse, "if (b.type === 'tool_use' || b.type === 'server_tool_use') run(b);")).toBe(1);
  expect(line(takesAnyToolUse, "if (b.type === 'tool_use') run(b);")).toBeNull();
  expect(line(takesAnyToolUse, "if (names.includes('tool_use')) run(b);")).toBeNull();
});
