import { expect, test } from "vitest";
import * as rules from "./envelope.ts";
import { reject, rejectCount } from "./reject.ts";
import { type Context, type Rule, readRequest } from "./rule.ts";

const valid = { model: "claude-sonnet-5-5", max_tokens: 10, messages: [{ role: "user", content: "go" }] };
const version = { "anthropic-version": "2023-06-01" };

function refusal(rule: Rule, body: unknown, context: Context) {
  const own = rule.check(readRequest(body, context));
  expect(reject(body, context)).toEqual(own);
  return own;
}

test.each([
  ["a key", { ...version, "x-api-key": "k" }],
  ["a bearer token, as the SDK sends it", { "anthropic-version": "2026-10-21", authorization: "Bearer k" }],
  ["no headers to judge", undefined],
])("accepted: %s", (_what, headers) => {
  expect(reject(valid, { headers })).toBeNull();
});

test("H1: nobody asks", () => {
  for (const headers of [version, { ...version, "x-api-key": "" }]) {
    expect(refusal(rules.someCredential, valid, { headers })).toEqual({
      status: 401,
      error: { type: "authentication_error", message: "x-api-key header is required" },
    });
    expect(rejectCount(valid, { headers })?.status).toBe(401);
  }
});

test("H2: no version", () => {
  const rejection = refusal(rules.someVersion, valid, { headers: { "x-api-key": "k" } });
  expect(rejection).toMatchObject({ status: 400, error: { message: "anthropic-version: header is required" } });
});

test("H3: a body that is no JSON", () => {
  expect(refusal(rules.someJson, undefined, {})).toMatchObject({
    status: 400,
    error: { type: "invalid_request_error" },
  });
});

test("H4: a thread that does not exist, by the code that the SDK knows it by", () => {
  expect(refusal(rules.someThread, valid, { lostThread: true })).toMatchObject({
    status: 404,
    error: { type: "not_found_error", details: { error_code: "thread_not_found" } },
  });
});

test("who asks comes before what is asked", () => {
  expect(reject(undefined, { headers: {} })?.status).toBe(401);
  expect(reject(undefined, { headers: { "x-api-key": "k" } })?.error.message).toContain("anthropic-version");
});
