import { expect, test } from "vitest";
import type { Spot } from "../../trace/events.ts";
import type { Source } from "../../trace/run.ts";
import { filtersThinking, keepsOnlyTheEnd } from "./history.ts";

const line = (point: (source: Source) => Spot | null, text: string) =>
  point({ files: [{ name: "agent.ts", text }] })?.line ?? null;

test("where only the end of a list is kept", () => {
  expect(line(keepsOnlyTheEnd, "const all = [];\nsend(all\n  .slice(-2));")).toBe(3);
  expect(line(keepsOnlyTheEnd, "if (messages.length > 4) messages.shift();")).toBe(1);
  expect(line(keepsOnlyTheEnd, "\nmessages.splice(0, 2);")).toBe(2);
});

test("not where another part is taken, or in two places", () => {
  expect(line(keepsOnlyTheEnd, "messages.slice(1); messages.slice(-4, -2); messages.splice(1, 2);")).toBeNull();
  expect(line(keepsOnlyTheEnd, "a.slice(-2); b.slice(-3);")).toBeNull();
});

test("where blocks of thinking do not pass", () => {
  expect(line(filtersThinking, "\nconst kept = r.content.filter((b) => b.type !== 'thinking');")).toBe(2);
  expect(line(filtersThinking, "r.content.filter((b) => b.type === 'text' || b.type === 'tool_use');")).toBe(1);
});

test("not where blocks of one kind are looked for", () => {
  expect(line(filtersThinking, "r.content.filter((b) => b.type === 'tool_use');")).toBeNull();
  expect(line(filtersThinking, "r.content.filter((b) => b.type === 'text');")).toBeNull();
  expect(line(filtersThinking, "r.content.filter(isThinking);")).toBeNull();
});
