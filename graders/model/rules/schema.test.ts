import { expect, test } from "vitest";
import { reject } from "./reject.ts";
import { type Rule, readRequest } from "./rule.ts";
import * as rules from "./schema.ts";

const plain = { model: "claude-sonnet-5-5", max_tokens: 10, messages: [{ role: "user", content: "go" }] };
const without = (key: keyof typeof plain) => Object.fromEntries(Object.entries(plain).filter(([name]) => name !== key));
/** A call and its result; what is given replaces parts of either. */
const withTool = (use: object, result: object) => ({
  ...plain,
  messages: [
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: [
        { type: "text", text: "hm" },
        { type: "tool_use", id: "a", name: "look", input: {}, ...use },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "ok", ...result }] },
  ],
});

function refusal(rule: Rule, body: unknown, status = 400, type = "invalid_request_error"): string | undefined {
  const own = rule.check(readRequest(body));
  expect(reject(body)).toEqual(own);
  expect(own).toMatchObject({ status, error: { type } });
  return own?.error.message;
}

test.each<[what: string, body: unknown]>([
  ["a plain request", plain],
  [
    "every parameter of the SDK",
    {
      ...plain,
      ...{
        stream: true,
        system: "s",
        thinking: { type: "adaptive" },
        metadata: {},
        cache_control: null,
        container: null,
      },
      ...{
        stop_sequences: [],
        service_tier: "auto",
        tools: [],
        tool_choice: { type: "auto" },
        output_config: {},
        speed: null,
      },
      ...{
        context_management: {},
        mcp_servers: [],
        betas: [],
        diagnostics: null,
        inference_geo: null,
        thread: { type: "create" },
      },
      ...{ billing_policy: null, compaction: null, fallbacks: null, fallback_credit_token: null, output_format: null },
      ...{ user_profile_id: "u", workspace_id: "w" },
    },
  ],
  ["sampling parameters, where no version is known", { ...plain, temperature: 0, top_p: 1, top_k: 1 }],
  ["max_tokens of 0", { ...plain, max_tokens: 0 }],
  ["a result without content", withTool({}, { content: undefined })],
  ["a result with empty content that is no error", withTool({}, { content: "", is_error: false })],
  ["a result with an empty list", withTool({}, { content: [] })],
  ["a result of blocks", withTool({}, { content: [{ type: "text", text: "ok" }, { type: "novel" }] })],
  ["an error that says something", withTool({}, { content: "no", is_error: true })],
])("accepted: %s", (_what, body) => {
  expect(reject(JSON.parse(JSON.stringify(body)))).toBeNull();
});

test("S1: no max_tokens", () => {
  expect(refusal(rules.maxTokensRequired, without("max_tokens"))).toBe("max_tokens: Field required");
});

test("a body that is no object lacks everything", () => {
  for (const body of [null, 3, "x", []])
    expect(refusal(rules.maxTokensRequired, body)).toBe("max_tokens: Field required");
});

test("S2: no model, no messages, or messages that are no list", () => {
  expect(refusal(rules.fieldsRequired, without("model"))).toBe("model: Field required");
  expect(refusal(rules.fieldsRequired, without("messages"))).toBe("messages: Field required");
  expect(refusal(rules.fieldsRequired, { ...plain, messages: "go" })).toBe("messages: Input should be a valid list");
});

test("S2: a message or a block that lacks what it cannot do without", () => {
  const empty = { ...plain, messages: [...plain.messages, { role: "assistant" }, ...plain.messages] };
  expect(refusal(rules.fieldsRequired, empty)).toBe("messages.1.content: Field required");
  const at = (body: object) => refusal(rules.fieldsRequired, JSON.parse(JSON.stringify(body)));
  expect(at(withTool({ input: undefined }, {}))).toBe("messages.1.content.1.tool_use.input: Field required");
  expect(at(withTool({ id: undefined }, {}))).toBe("messages.1.content.1.tool_use.id: Field required");
  expect(at(withTool({}, { tool_use_id: undefined }))).toBe(
    "messages.2.content.0.tool_result.tool_use_id: Field required",
  );
  expect(at(withTool({}, { tool_use_id: { toString: 1 } }))).toBe(
    "messages.2.content.0.tool_result.tool_use_id: Input should be a valid string",
  );
});

test("S5: a model that does not exist is not found", () => {
  const body = { ...plain, model: "claude-sonnet-4-20250514" };
  expect(refusal(rules.modelExists, body, 404, "not_found_error")).toBe("model: claude-sonnet-4-20250514");
});

test("S6: a field the API does not have", () => {
  expect(refusal(rules.fieldsKnown, { ...plain, response_format: {} })).toBe(
    "response_format: Extra inputs are not permitted",
  );
  expect(refusal(rules.fieldsKnown, JSON.parse(`{"__proto__":1,${JSON.stringify(plain).slice(1)}`))).toBe(
    "__proto__: Extra inputs are not permitted",
  );
});

test("S8: a whole response pushed as a message", () => {
  const response = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [{ type: "text", text: "hm" }],
    usage: {},
  };
  const body = { ...plain, messages: [...plain.messages, response, ...plain.messages] };
  expect(refusal(rules.messageFieldsKnown, body)).toBe("messages.1.id: Extra inputs are not permitted");
});

test("S19: an input that is no object", () => {
  for (const input of ['{"a":1}', null, [], 3]) {
    expect(refusal(rules.inputIsObject, withTool({ input }, {}))).toBe(
      "messages.1.content.1.tool_use.input: Input should be a valid dictionary",
    );
  }
});

test("S2: thinking without its signature", () => {
  const at = (thought: object) => ({
    ...plain,
    messages: [
      ...plain.messages,
      { role: "assistant", content: [{ type: "thinking", ...thought }] },
      ...plain.messages,
    ],
  });
  expect(refusal(rules.fieldsRequired, at({ thinking: "hm" }))).toBe(
    "messages.1.content.0.thinking.signature: Field required",
  );
});

test("S3: more tokens than the model can write", () => {
  const body = { ...plain, model: "claude-opus-4-6", max_tokens: 128_001 };
  expect(refusal(rules.maxTokensWithinModel, body)).toBe(
    "max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-opus-4-6",
  );
  expect(reject({ ...body, max_tokens: 128_000 })).toBeNull();
  // No page says how much this one can write.
  expect(reject({ ...body, model: "claude-opus-5" })).toBeNull();
});

test("S9: pieces of a stream as blocks", () => {
  for (const type of ["input_json_delta", "text_delta"]) {
    const body = { ...plain, messages: [{ role: "user", content: [{ type: "novel" }, { type, text: "a" }] }] };
    expect(refusal(rules.blockKindExists, body)).toContain(`messages.0.content.1: Input tag '${type}'`);
  }
});

test("S20: a call of nothing", () => {
  expect(refusal(rules.callHasName, withTool({ name: "" }, {}))).toBe(
    "messages.1.content.1.tool_use.name: String should have at least 1 character",
  );
});

test("S25: sampling parameters, since the version that has none", () => {
  const headers = { "x-api-key": "k", "anthropic-version": "2026-10-21" };
  for (const field of ["temperature", "top_p", "top_k"]) {
    const body = { ...plain, [field]: 1 };
    expect(reject(body, { headers })).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining(field) },
    });
    expect(reject(body, { headers: { ...headers, "anthropic-version": "2023-06-01" } })).toBeNull();
    expect(reject({ ...plain, [field]: null }, { headers })).toBeNull();
  }
});

test("S22: a result that is neither text nor blocks", () => {
  for (const content of [{ ok: true }, 42, true, [{ ok: true }], ["text"]]) {
    expect(refusal(rules.resultIsText, withTool({}, { content }))).toBe(
      "messages.2.content.0.tool_result.content: Input should be a valid string",
    );
  }
});

test("S23: an error that says nothing", () => {
  for (const content of ["", [], undefined, null]) {
    expect(refusal(rules.errorSaysSomething, withTool({}, { content, is_error: true }))).toBe(
      "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
    );
  }
});
