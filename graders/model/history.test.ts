import * as fc from "fast-check";
import { expect, test } from "vitest";
import { effectiveHistory, effectiveTools } from "./history.ts";

test("string content becomes one text block", () => {
  expect(effectiveHistory({ messages: [{ role: "user", content: "hi" }] })).toEqual([
    { role: "user", content: [{ type: "text", text: "hi" }] },
  ]);
});

test("adjacent messages of one role become one, in order", () => {
  const messages = [
    { role: "user", content: "a" },
    { role: "user", content: [{ type: "text", text: "b" }] },
    { role: "assistant", content: "c" },
    { role: "assistant", content: [] },
    { role: "user", content: "d" },
  ];
  expect(
    effectiveHistory({ messages }).map(({ role, content }) => [
      role,
      content.map((block) => "text" in block && block.text),
    ]),
  ).toEqual([
    ["user", ["a", "b"]],
    ["assistant", ["c"]],
    ["user", ["d"]],
  ]);
});

test("the request's own messages are left as they were", () => {
  const messages = [
    { role: "user", content: [{ type: "text", text: "a" }] },
    { role: "user", content: "b" },
  ];
  const before = structuredClone(messages);
  effectiveHistory({ messages });
  expect(messages).toEqual(before);
});

test("what is no message is left out, what is no block keeps its place", () => {
  const messages = [
    null,
    3,
    "x",
    [],
    { role: "system", content: "s" },
    { role: "user", content: [5, { type: 7 }, "t", { type: "text", text: "a" }] },
  ];
  expect(effectiveHistory({ messages })).toEqual([
    {
      role: "user",
      content: [
        { type: "unknown", value: 5 },
        { type: "unknown", value: { type: 7 } },
        { type: "unknown", value: "t" },
        { type: "text", text: "a" },
      ],
    },
  ]);
});

test("no list of messages is an empty history", () => {
  for (const body of [null, undefined, 1, "x", [], {}, { messages: {} }, { messages: "x" }])
    expect(effectiveHistory(body)).toEqual([]);
});

test("any JSON gives a history and tools", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (messages, tools, tool_choice) => {
      for (const body of [
        messages,
        { messages, tools, tool_choice },
        { messages: [{ role: "user", content: messages }] },
      ]) {
        expect(effectiveHistory(body)).toBeInstanceOf(Array);
        expect(effectiveTools(body)).toBeInstanceOf(Array);
      }
    }),
  );
});

test("a huge list of messages or blocks is read", () => {
  const many = Array.from({ length: 300_000 }, () => ({ type: "text", text: "a" }));
  const messages = [{ role: "user", content: many }, ...many.map(() => ({ role: "user", content: "b" }))];
  expect(effectiveHistory({ messages })[0]?.content).toHaveLength(600_000);
});

test("tools are offered unless there are none or tool_choice forbids them", () => {
  const tools = [{ name: "a" }, { name: 3 }, null, { type: "web_search_20250305", name: "web_search" }];
  expect(effectiveTools({ tools })).toEqual(["a", "web_search"]);
  expect(effectiveTools({ tools, tool_choice: { type: "auto" } })).toEqual(["a", "web_search"]);
  expect(effectiveTools({ tools, tool_choice: { type: "none" } })).toEqual([]);
  for (const body of [{}, { tools: [] }, { tools: {} }, null]) expect(effectiveTools(body)).toEqual([]);
});
