import { expect, test } from "vitest";
import { sign } from "../signature.ts";
import * as rules from "./conversation.ts";
import { reject } from "./reject.ts";
import { type Rule, readRequest } from "./rule.ts";

const body = (messages: unknown[], more = {}) => ({ model: "claude-sonnet-5-5", max_tokens: 10, messages, ...more });
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const text = (text: string) => ({ type: "text", text });

function refusal(rule: Rule, messages: unknown[], more = {}): string | undefined {
  const own = rule.check(readRequest(body(messages, more)));
  expect(reject(body(messages, more))).toEqual(own);
  expect(own).toMatchObject({ status: 400, error: { type: "invalid_request_error" } });
  return own?.error.message;
}

test.each<[what: string, messages: unknown[], more?: object]>([
  ["string content everywhere", [user("a"), assistant("b"), user("c")]],
  ["a conversation that opens with the assistant", [assistant("b"), user("c")]],
  ["several messages of one role in a row", [user("a"), user("b"), assistant("c"), assistant("d"), user("e")]],
  ["an empty message beside another of its role", [user("a"), user([])]],
  [
    "replayed thinking, citations and caller",
    [
      user("a"),
      assistant([
        { type: "thinking", thinking: "", signature: sign("") },
        { type: "text", text: "b", citations: null },
        { type: "tool_use", id: "t", name: "look", input: {}, caller: { type: "direct" } },
      ]),
      user([{ type: "tool_result", tool_use_id: "t", content: "ok" }]),
    ],
  ],
  ["a system message, which some models take", [user("a"), { role: "system", content: "b" }]],
  ["unknown kinds of block", [user([{ type: "novel", text: "" }])]],
  [
    "a paused turn sent back as it is",
    [user("a"), assistant([text("b"), { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }])],
  ],
  ["a prefill on a model that allows it", [user("a"), assistant("b")], { model: "claude-haiku-4-5" }],
  ["an empty prefill on a model that allows it", [user("a"), assistant([])], { model: "claude-haiku-4-5" }],
])("accepted: %s", (_what, messages, more) => {
  expect(reject(body(messages, more))).toBeNull();
});

test("R1: no message", () => {
  expect(refusal(rules.someMessage, [])).toBe("messages: at least one message is required");
});

test("R2: an empty list as content", () => {
  const message = (i: number) =>
    `messages.${i}: all messages must have non-empty content except for the optional final assistant message`;
  expect(refusal(rules.someContent, [user([])])).toBe(message(0));
  expect(refusal(rules.someContent, [user("a"), assistant("b"), user([])])).toBe(message(2));
  expect(refusal(rules.someContent, [user("a"), assistant([]), user("c")])).toBe(message(1));
});

test("R3: empty text", () => {
  const message = "messages: text content blocks must be non-empty";
  expect(refusal(rules.noEmptyText, [user("")])).toBe(message);
  expect(refusal(rules.noEmptyText, [user("a"), assistant(""), user("c")])).toBe(message);
  expect(refusal(rules.noEmptyText, [user([text("a"), text("")])])).toBe(message);
});

test("R4: text of blanks alone", () => {
  const message = "messages: text content blocks must contain non-whitespace text";
  expect(refusal(rules.noBlankText, [user(" \n\t")])).toBe(message);
  expect(refusal(rules.noBlankText, [user([text("a"), text("  ")])])).toBe(message);
});

test("R9: a role that nobody has, counted after merging", () => {
  const text = (i: number) => `messages.${i}.role: Input should be 'user' or 'assistant'`;
  for (const role of ["tool", "function", "developer"]) {
    expect(refusal(rules.rolesKnown, [user("a"), user("b"), assistant("c"), { role, content: "d" }])).toBe(text(2));
  }
  expect(refusal(rules.rolesKnown, [user("a"), { content: "b" }])).toBe("messages.1.role: Field required");
  expect(refusal(rules.rolesKnown, [user("a"), "b"])).toBe("messages.1: Input should be a valid dictionary");
});

test("R6: a prefill that ends in a blank", () => {
  expect(refusal(rules.prefillEndsInText, [user("a"), assistant("so ")], { model: "claude-haiku-4-5" })).toBe(
    "messages: final assistant content cannot end with trailing whitespace",
  );
});

test("R5: the assistant speaks last", () => {
  const message =
    "This model does not support assistant message prefill. The conversation must end with a user message.";
  expect(refusal(rules.userSpeaksLast, [user("a"), assistant("b")])).toBe(message);
  expect(refusal(rules.userSpeaksLast, [user("a"), assistant([])])).toBe(message);
  expect(
    refusal(rules.userSpeaksLast, [user("a"), assistant([{ type: "thinking", thinking: "b", signature: "s" }])]),
  ).toBe(message);
});
