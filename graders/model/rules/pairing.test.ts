import { expect, test } from "vitest";
import * as rules from "./pairing.ts";
import { reject } from "./reject.ts";
import { type Rule, readRequest } from "./rule.ts";

const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const prompt = { role: "user", content: "go" };
const text = { type: "text", text: "hm" };
const use = (id: string) => ({ type: "tool_use", id, name: "look", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const body = (...messages: unknown[]) => ({ model: "claude-sonnet-5-5", max_tokens: 10, messages });

/** What the rule alone says, and that a whole request is refused for the same reason. */
function refusal(rule: Rule, ...messages: unknown[]): string | undefined {
  const own = rule.check(readRequest(body(...messages)));
  expect(reject(body(...messages))).toEqual(own);
  expect(own).toMatchObject({ status: 400, error: { type: "invalid_request_error" } });
  return own?.error.message;
}

const unanswered = (i: number, ids: string) =>
  `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
const unexpected = (i: number, j: number, id: string) =>
  `messages.${i}.content.${j}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;

test.each<[what: string, messages: unknown[]]>([
  ["results in another order than the calls", [prompt, assistant(use("a"), use("b")), user(result("b"), result("a"))]],
  ["text after the results", [prompt, assistant(use("a")), user(result("a"), text)]],
  [
    "results split over messages of one role, which are merged",
    [prompt, assistant(use("a"), use("b")), user(result("a")), user(result("b"))],
  ],
  ["calls split over messages of one role", [prompt, assistant(text), assistant(use("a")), user(result("a"))]],
  ["one id in two turns", [prompt, assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))]],
  ["a conversation that opens with the assistant", [assistant(use("a")), user(result("a"))]],
  [
    "a server tool's call, which the client does not answer",
    [prompt, assistant({ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} })],
  ],
  ["no tools declared while the history has tool blocks", [prompt, assistant(use("a")), user(result("a"))]],
  [
    "an unknown kind of block after the results",
    [prompt, assistant({ type: "novel" }, use("a")), user(result("a"), { type: "novel" })],
  ],
])("accepted: %s", (_what, messages) => {
  expect(reject(body(...messages))).toBeNull();
});

test("P1: a call without a result, wherever the conversation stops", () => {
  expect(refusal(rules.everyCallAnswered, prompt, assistant(use("a")))).toBe(unanswered(1, "a"));
  expect(refusal(rules.everyCallAnswered, prompt, assistant(use("a")), user(text))).toBe(unanswered(1, "a"));
  expect(refusal(rules.everyCallAnswered, prompt, assistant(use("a"), use("b"), use("c")), user(result("b")))).toBe(
    unanswered(1, "a, c"),
  );
});

test("P1: a result that comes a turn late", () => {
  const late = [prompt, assistant(use("a"), use("b")), user(result("a")), assistant(text), user(result("b"))];
  expect(refusal(rules.everyCallAnswered, ...late)).toBe(unanswered(1, "b"));
});

test("P1 counts messages after merging", () => {
  expect(refusal(rules.everyCallAnswered, prompt, prompt, assistant(text), assistant(use("a")), user(text))).toBe(
    unanswered(1, "a"),
  );
});

test("P5: anything before or between the results makes those after it count for nothing", () => {
  const calls = assistant(use("a"), use("b"));
  expect(refusal(rules.everyCallAnswered, prompt, calls, user(text, result("a"), result("b")))).toBe(
    unanswered(1, "a, b"),
  );
  expect(refusal(rules.everyCallAnswered, prompt, calls, user(result("a"), text, result("b")))).toBe(
    unanswered(1, "b"),
  );
  expect(refusal(rules.everyCallAnswered, prompt, calls, user(result("a")), user(text), user(result("b")))).toBe(
    unanswered(1, "b"),
  );
});

test("P2: a result nobody asked for in the message before", () => {
  expect(refusal(rules.everyResultAsked, user(result("a")))).toBe(unexpected(0, 0, "a"));
  expect(refusal(rules.everyResultAsked, prompt, assistant(text), user(result("a")))).toBe(unexpected(2, 0, "a"));
  expect(refusal(rules.everyResultAsked, prompt, user(result("a")))).toBe(unexpected(0, 1, "a"));
  expect(refusal(rules.everyResultAsked, prompt, assistant(use("a")), user(result("a"), result("b")))).toBe(
    unexpected(2, 1, "b"),
  );
});

test("P2: a server tool's call is not the client's to answer", () => {
  const server = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
  expect(refusal(rules.everyResultAsked, prompt, assistant(server), user(result("srvtoolu_1")))).toBe(
    unexpected(2, 0, "srvtoolu_1"),
  );
});

test("P3: two results for one call", () => {
  expect(refusal(rules.oneResultPerCall, prompt, assistant(use("a")), user(result("a"), result("a")))).toBe(
    "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
  );
  expect(
    refusal(rules.oneResultPerCall, prompt, assistant(use("a")), user(result("a"), text), user(result("a"))),
  ).toContain("messages.2.content.2:");
});

test("P4: one id twice in an assistant message, also when it was pushed twice", () => {
  const message = "messages.1.content.1: `tool_use` ids must be unique";
  expect(refusal(rules.uniqueCallIds, prompt, assistant(use("a"), use("a")), user(result("a")))).toBe(message);
  expect(refusal(rules.uniqueCallIds, prompt, assistant(use("a")), assistant(use("a")), user(result("a")))).toBe(
    message,
  );
});

test("P6: a call in a user message", () => {
  expect(refusal(rules.callsFromAssistant, prompt, user(use("a")))).toBe(
    "messages.0: `tool_use` blocks can only be in `assistant` messages",
  );
});

test("P7: a result in an assistant message", () => {
  expect(refusal(rules.resultsFromUser, prompt, assistant(use("a")), assistant(result("a")))).toBe(
    "messages.1: `tool_result` blocks can only be in `user` messages",
  );
});
