import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RULES, reject, rejectCount } from "./reject.ts";
import { type Context, readRequest } from "./rule.ts";
import { UNCERTAIN, UNCERTAIN_NAMES } from "./uncertain.ts";

const valid = { model: "claude-sonnet-5-5", max_tokens: 10, messages: [{ role: "user", content: "go" }] };

/** JSON that looks like a conversation, with junk in every place. */
const junk = fc.oneof(fc.jsonValue(), fc.constantFrom("user", "a", "text", "tool_use"));
const block = fc.oneof(
  junk,
  fc.record(
    {
      type: fc.oneof(fc.constantFrom("text", "tool_use", "tool_result", "thinking", "server_tool_use"), junk),
      id: fc.oneof(fc.constantFrom("a", "b"), junk),
      tool_use_id: fc.oneof(fc.constantFrom("a", "b"), junk),
      ...{ text: junk, input: junk, content: junk, is_error: junk },
    },
    { requiredKeys: ["type"] },
  ),
);
const message = fc.oneof(
  junk,
  fc.record(
    { role: fc.oneof(fc.constantFrom("user", "assistant"), junk), content: fc.oneof(fc.array(block), junk) },
    { requiredKeys: [] },
  ),
);
const tool = fc.oneof(
  junk,
  fc.record(
    {
      name: fc.oneof(fc.constantFrom("look", "a b", ""), junk),
      type: fc.oneof(fc.constantFrom("custom", "function"), junk),
      input_schema: fc.oneof(
        junk,
        fc.record({ type: junk, properties: fc.oneof(fc.dictionary(fc.string(), junk), junk) }, { requiredKeys: [] }),
      ),
    },
    { requiredKeys: [] },
  ),
);
const body = fc.oneof(
  junk,
  fc
    .record({
      messages: fc.oneof(fc.array(message), junk),
      tools: fc.oneof(fc.array(tool), junk),
      ...{ tool_choice: junk, thinking: junk, max_tokens: junk, temperature: junk },
    })
    .map((parts) => ({ ...valid, ...parts })),
  fc.array(message).map((messages) => ({ ...valid, messages })),
);

/** All that can be known beside a body. */
const context: Context = {
  headers: { "x-api-key": "k", "anthropic-version": "2026-10-21" },
  delivered: [
    [
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "tool_use", id: "a", name: "look", input: {} },
    ],
  ],
  uncertain: UNCERTAIN_NAMES,
};

test("a rule has an id of its own", () => {
  const ids = [...RULES, ...UNCERTAIN].map((rule) => rule.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("no body makes a rule throw", () => {
  fc.assert(
    fc.property(body, (body) => {
      reject(body, context);
      rejectCount(body, context);
      for (const rule of [...RULES, ...UNCERTAIN]) rule.check(readRequest(body, context));
    }),
    { numRuns: 500 },
  );
});

test("no body makes a rule throw that has names of Object's own", () => {
  const hostile = JSON.parse(
    '{"model":"__proto__","max_tokens":1,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":{"toString":1},"__proto__":{"type":"text"}}]},{"__proto__":{"role":"user"}},{"role":"assistant","content":[{"type":"constructor"}]}]}',
  );
  for (const rule of [...RULES, ...UNCERTAIN]) {
    expect(() => rule.check(readRequest(hostile, context)), rule.id).not.toThrow();
  }
});

test("nesting deeper than the stack is read", () => {
  const deep = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
  const input = JSON.parse(`${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`);
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: "look", input }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: deep }] },
  ];
  expect(reject({ ...valid, messages })?.error.message).toMatch(/^messages\.2\.content\.0\.tool_result\.content/);
  expect(reject({ ...valid, metadata: deep })).toBeNull();
  const thought = [{ role: "assistant", content: [{ type: "thinking", thinking: deep, signature: "s" }] }];
  const tools = [{ name: "look", input_schema: JSON.parse(`${'{"not":'.repeat(200_000)}true${"}".repeat(200_000)}`) }];
  for (const rule of [...RULES, ...UNCERTAIN]) {
    rule.check(readRequest({ ...valid, messages, tools }, context));
    rule.check(readRequest({ ...valid, messages: thought }, context));
  }
  expect(reject({ ...valid, tools })).toBeNull();
});

test("a huge conversation is checked in time", () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => `t${i}`);
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", content: ids.map((id) => ({ type: "tool_use", id, name: "look", input: {} })) },
    { role: "user", content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "ok" })) },
  ];
  expect(reject({ ...valid, messages })).toBeNull();
});

test("of several problems only the first is told: shape before model, model before pairing", () => {
  const broken = {
    ...valid,
    model: "gpt-9",
    messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: 3 }] }],
  };
  expect(reject(broken)?.error.message).toContain("valid string");
  const wrong = {
    ...broken,
    messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "3" }] }],
  };
  expect(reject(wrong)).toMatchObject({ status: 404 });
  expect(reject({ ...wrong, model: valid.model })?.error.message).toContain("unexpected `tool_use_id`");
});
