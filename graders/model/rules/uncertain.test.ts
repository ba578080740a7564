import { expect, test } from "vitest";
import type { ReplyBlock } from "../../trace/api.ts";
import { bodyOf, promptOf, rehearse } from "../rehearsal.ts";
import { openScenario } from "../scenario.ts";
import { parseScenario } from "../scenario-file.ts";
import { reject } from "./reject.ts";
import { UNCERTAIN, UNCERTAIN_NAMES } from "./uncertain.ts";

const user = (content: unknown) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const use = (id: string) => ({ type: "tool_use", id, name: "look", input: {} });
const result = (id: string, more: object = {}) => ({ type: "tool_result", tool_use_id: id, content: "ok", ...more });
const look = { name: "look", input_schema: { type: "object" } };
const body = (messages: unknown[], more: object = {}) => ({
  ...{ model: "claude-sonnet-5-5", max_tokens: 10, tools: [look], messages },
  ...more,
});
const plain = [user("go")];

/** Of each refusal: what meets it and is else accepted, and what it says. */
const CASES: Record<string, { body: unknown; says: string; delivered?: ReplyBlock[][] }[]> = {
  "system-role": [
    { body: body([...plain, { role: "system", content: "be brief" }]), says: "role 'system' is not supported" },
  ],
  "zero-max-tokens": [
    { body: body(plain, { max_tokens: 0 }), says: "max_tokens: Input should be greater" },
    { body: body(plain, { max_tokens: 0, stream: true }), says: "max_tokens: 0 is not allowed with stream: true" },
  ],
  "odd-call-id": [
    { body: body([...plain, assistant(use("a b")), user([result("a b")])]), says: "messages.1.content.0.tool_use.id" },
  ],
  "empty-result": [
    {
      body: body([...plain, assistant(use("a")), user([result("a", { content: "" })])]),
      says: "content cannot be empty",
    },
    {
      body: body([...plain, assistant(use("a")), user([result("a", { content: [] })])]),
      says: "content cannot be empty",
    },
  ],
  "schema-without-type": [
    { body: body(plain, { tools: [{ ...look, input_schema: {} }] }), says: "tools.0.custom.input_schema.type: Field" },
    {
      body: body(plain, { tools: [{ ...look, input_schema: { type: "string" } }] }),
      says: "tools.0.custom.input_schema.type: Input should be 'object'",
    },
  ],
  "choice-without-tools": [
    {
      body: body(plain, { tools: [], tool_choice: { type: "auto" } }),
      says: "only be specified while providing tools",
    },
  ],
  "tools-missing": [
    { body: body([...plain, assistant(use("a")), user([result("a")])], { tools: [] }), says: "must define tools" },
  ],
  "assistant-opens": [
    { body: body([assistant({ type: "text", text: "hi" }), ...plain]), says: 'first message must use the "user" role' },
  ],
  "repeated-call-id": [
    {
      body: body([...plain, assistant(use("a")), user([result("a")]), assistant(use("a")), user([result("a")])]),
      says: "messages.3.content.0: `tool_use` ids must be unique",
    },
  ],
  "split-results": [
    {
      body: body([...plain, assistant(use("a"), use("b")), user([result("a")]), user([result("b")])]),
      says: "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b.",
    },
  ],
  "search-interrupted": [
    {
      body: body([
        ...plain,
        assistant({ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }),
        user("go on"),
      ]),
      says: "`web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block",
    },
  ],
  "thinking-filtered": [
    {
      body: body([...plain, assistant(use("a")), user([result("a")])]),
      says: "cannot be modified",
      delivered: [[{ type: "thinking", thinking: "hm", signature: "s" }, use("a") as ReplyBlock]],
    },
  ],
};

test.each(Object.entries(CASES).flatMap(([name, cases]) => cases.map((one) => [name, one] as const)))(
  "%s: accepted when off, refused when on",
  (name, { body, says, delivered }) => {
    expect(reject(body, { delivered })).toBeNull();
    const others = UNCERTAIN_NAMES.filter((other) => other !== name);
    expect(reject(body, { delivered, uncertain: others })).toBeNull();
    const refused = reject(body, { delivered, uncertain: [name] });
    expect(refused).toMatchObject({ status: 400, error: { type: "invalid_request_error" } });
    expect(refused?.error.message).toContain(says);
  },
);

test("stray-result-first: of a result without its call and a call without its result, which is told", () => {
  const mismatch = body([...plain, assistant(use("a")), user([result("b")])]);
  expect(reject(mismatch)?.error.message).toContain("immediately after: a.");
  expect(reject(mismatch, { uncertain: ["stray-result-first"] })?.error.message).toContain("unexpected `tool_use_id`");
});

test("each has a case here, a source, and a place among the certain ones", () => {
  expect([...Object.keys(CASES), "stray-result-first"].toSorted()).toEqual(UNCERTAIN_NAMES.toSorted());
  for (const { certain, source, name } of UNCERTAIN) {
    expect(certain).toBe(false);
    expect(source.length, name).toBeGreaterThan(20);
  }
});

test("what is accepted stays so with every one of them on", () => {
  const messages = [...plain, assistant(use("a"), use("b")), user([result("b"), result("a")])];
  expect(reject(body(messages), { uncertain: UNCERTAIN_NAMES, delivered: [] })).toBeNull();
});

test("a run plays those that its scenario was opened with", () => {
  const file = parseScenario(
    {
      title: "t",
      userInput: "go",
      tools: [{ name: "look", description: "looks", input_schema: { type: "object" } }],
      replies: [{ text: "{{nonce}}" }],
    },
    "t.json",
  );
  const open = (uncertain?: string[]) =>
    openScenario(file, { name: "t", seed: "s", lang: "en", ...(uncertain && { uncertain }) });
  const send = (scenario: ReturnType<typeof open>) =>
    rehearse(scenario).send({ ...bodyOf(scenario, [promptOf(scenario)]), max_tokens: 0 }).status;
  expect(send(open())).toBe(200);
  expect(send(open(["zero-max-tokens"]))).toBe(400);
  expect(open()).not.toHaveProperty("uncertain");
  expect(() => open(["max-tokens"])).toThrow(/"max-tokens" is none of .*zero-max-tokens/);
});
