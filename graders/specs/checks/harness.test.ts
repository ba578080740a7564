import { afterEach, expect, test, vi } from "vitest";
import { AgentStopped, callModel, client, connectToolkit, executeTool, toolkit } from "../../../exercises/harness.ts";

afterEach(() => {
  vi.restoreAllMocks();
  connectToolkit({});
});

test("callModel fills in a model and max_tokens, and a request may name its own", async () => {
  const create = vi.spyOn(client.messages, "create").mockResolvedValue({} as never);
  const messages = [{ role: "user" as const, content: "hi" }];
  await callModel({ messages });
  await callModel({ messages, model: "claude-opus-5-5", max_tokens: 64 });
  expect(create.mock.calls.map(([body]) => body)).toEqual([
    { model: "claude-sonnet-5-5", max_tokens: 1024, messages },
    { model: "claude-opus-5-5", max_tokens: 64, messages },
  ]);
});

test("executeTool runs the tool of that name with its input and its options", async () => {
  const add = vi.fn(async () => 3);
  connectToolkit({ add });
  const { signal } = new AbortController();
  await expect(executeTool("add", { a: 1, b: 2 }, { signal })).resolves.toBe(3);
  expect(add).toHaveBeenCalledWith({ a: 1, b: 2 }, { signal });
});

test("executeTool knows no tool that nobody connected, not even one that every object has", async () => {
  for (const name of ["add", "constructor", "toString"]) {
    await expect(executeTool(name, {})).rejects.toThrow(`Unknown tool: ${name}`);
  }
});

test("connectToolkit replaces what was there, in the record that was handed out", () => {
  connectToolkit({ old: async () => 1 });
  connectToolkit({ young: async () => 2 });
  expect(Object.keys(toolkit)).toEqual(["young"]);
});

test("AgentStopped carries its reason, and the conversation when it is given", () => {
  const messages = [{ role: "user" as const, content: "hi" }];
  const stopped = new AgentStopped("cap reached", messages);
  expect(stopped).toBeInstanceOf(Error);
  expect([stopped.name, stopped.message, stopped.reason, stopped.messages]).toEqual([
    "AgentStopped",
    "cap reached",
    "cap reached",
    messages,
  ]);
  expect(new AgentStopped("cap reached").messages).toBeUndefined();
});
