import { expect, test } from "vitest";
import { moduleState } from "./module-state.ts";

const found = (text: string) => moduleState({ files: [{ name: "agent.ts", text }] });

test("a list outside the function that the function fills", () => {
  expect(found("const messages = [];\nexport function runAgent(x) { messages.push(x); }")).toEqual({
    name: "messages",
    spot: { file: "agent.ts", line: 1, column: 7 },
  });
});

test("a variable that is assigned, counted up, or reached into", () => {
  expect(found("let a;\nconst f = () => { a = 1; };")?.name).toBe("a");
  expect(found("export let turns = 0;\nconst f = () => { turns++; };")?.name).toBe("turns");
  expect(found("const state = { messages: [] };\nconst f = () => { state.messages.push(1); };")?.name).toBe("state");
  expect(found("const cache = new Map();\nconst f = () => { cache.set(1, 2); };")?.name).toBe("cache");
});

test("not what is only read, nor what a function has for itself", () => {
  expect(found("const MAX = 10;\nconst f = () => MAX;")).toBeNull();
  expect(found("const a = [];\na.push(1);\nconst f = () => a;")).toBeNull();
  expect(found("const messages = [];\nconst f = () => { const messages = []; messages.push(1); };")).toBeNull();
  expect(found("const messages = [];\nconst f = (messages) => { messages.push(1); };")).toBeNull();
});
