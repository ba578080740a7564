import * as fc from "fast-check";
import { expect, test } from "vitest";
import { converse } from "./conversation.ts";
import { type HttpRequest, respond } from "./http.ts";
import { openScenario } from "./scenario.ts";
import { parseScenario } from "./scenario-file.ts";

const begin = () =>
  converse(
    openScenario(
      parseScenario({ title: "t", userInput: "go", tools: [], replies: [{ text: "{{nonce}}" }] }, "t.json"),
      { name: "t", seed: "s", lang: "en" },
    ),
  );

const request = (parts: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "POST",
  path: "/v1/messages",
  headers: { "x-api-key": "k", "anthropic-version": "2023-06-01" },
  body: JSON.stringify({ model: "claude-sonnet-5-5", max_tokens: 9, messages: [{ role: "user", content: "go" }] }),
  ...parts,
});

test("a message, as JSON in one piece", () => {
  const talk = begin();
  const answer = respond(talk, request());
  expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/json" }, pieces: [] });
  expect(JSON.parse(answer.body)).toMatchObject({ type: "message", stop_reason: "end_turn" });
  expect(respond(talk, request({ path: "/v1/messages/" })).status).toBe(200);
});

test("the number of the attempt and the line that made it are written down", () => {
  const talk = begin();
  const at = { file: "agent.ts", line: 3, column: 1 };
  respond(talk, request({ headers: { ...request().headers, "x-stainless-retry-count": "2" } }), at);
  respond(talk, request({ path: "/v1/messages/count_tokens" }), at);
  expect(talk.trace).toMatchObject([{ attempt: 3, at }, { type: "reply" }, { type: "count-tokens", at, status: 200 }]);
});

test("what is refused says so as the API does", () => {
  const refused: [Partial<HttpRequest>, number, string][] = [
    [{ headers: { "anthropic-version": "2023-06-01" } }, 401, "authentication_error"],
    [{ headers: { "x-api-key": "k" } }, 400, "invalid_request_error"],
    [{ body: '{"model":' }, 400, "invalid_request_error"],
    [{ body: "" }, 400, "invalid_request_error"],
  ];
  for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
    for (const [parts, status, type] of refused) {
      const talk = begin();
      const answer = respond(talk, request({ path, ...parts }));
      expect(answer).toMatchObject({ status, headers: { "x-should-retry": "false" } });
      expect(JSON.parse(answer.body)).toEqual({
        type: "error",
        error: { type, message: expect.any(String) },
        request_id: answer.headers["request-id"],
      });
      expect(talk.trace.at(-1)).toMatchObject({ status });
    }
  }
});

test("a count asks less than a message: no max_tokens, and no pairing", () => {
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: "look", input: {} }] },
  ];
  const answer = respond(
    begin(),
    request({ path: "/v1/messages/count_tokens", body: JSON.stringify({ model: "claude-sonnet-5-5", messages }) }),
  );
  expect(answer).toMatchObject({ status: 200, headers: { "request-id": expect.stringMatching(/^req_011C/) } });
  expect(JSON.parse(answer.body)).toEqual({ input_tokens: expect.any(Number) });
});

test("anything else is not found, and leaves nothing behind", () => {
  const talk = begin();
  for (const parts of [{ path: "/v1/complete" }, { path: "/" }, { method: "GET" }, { path: "/v1/models" }]) {
    expect(respond(talk, request(parts))).toMatchObject({ status: 404, pieces: [] });
  }
  expect(talk.trace).toEqual([]);
});

test("no request makes it throw, and every stream is as long as its pieces", () => {
  const part = fc.oneof(fc.json(), fc.string(), fc.constantFrom("null", "[]", '{"stream":true}'));
  fc.assert(
    fc.property(fc.constantFrom("/v1/messages", "/v1/messages/count_tokens", "/x"), part, (path, body) => {
      expect(respond(begin(), request({ path, body })).status).toBeGreaterThanOrEqual(200);
    }),
  );
  const deep = `{"model":"claude-sonnet-5-5","max_tokens":9,"messages":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect(respond(begin(), request({ body: deep })).status).toBe(400);
});
