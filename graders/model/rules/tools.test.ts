import { expect, test } from "vitest";
import { reject } from "./reject.ts";
import { type Rule, readRequest } from "./rule.ts";
import * as rules from "./tools.ts";

const plain = { model: "claude-sonnet-5-5", max_tokens: 10, messages: [{ role: "user", content: "go" }] };
const look = { name: "look", description: "looks", input_schema: { type: "object", properties: {} } };
const offering = (...tools: unknown[]) => ({ ...plain, tools });
const withSchema = (input_schema: unknown) => offering(look, { ...look, name: "fix", input_schema });

function refusal(rule: Rule, body: unknown): string | undefined {
  const own = rule.check(readRequest(body));
  expect(reject(body)).toEqual(own);
  expect(own).toMatchObject({ status: 400, error: { type: "invalid_request_error" } });
  return own?.error.message;
}

test.each<[what: string, body: unknown]>([
  ["no tools", { ...plain, tools: null }],
  ["a tool of the kind that the SDK's runner sends", offering({ ...look, type: "custom" })],
  ["a tool that the API runs itself", offering({ type: "web_search_20250305", name: "web_search" })],
  ["a schema without a type", withSchema({ properties: { a: { type: "string" } } })],
  [
    "a schema that the SDK makes from zod",
    withSchema({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { a: { type: "integer", minimum: -9, maximum: 9 } },
      required: ["a"],
      additionalProperties: false,
    }),
  ],
  [
    "a schema with all that is legal, and words of one's own",
    withSchema({
      type: "object",
      properties: {
        type: { type: ["string", "null"], enum: ["a", null], default: 3, example: "x", nullable: true },
        required: { anyOf: [{ type: "array", items: [{ type: "string" }, true] }, { $ref: "#/$defs/b" }] },
        properties: { not: {}, pattern: "^a", format: "uri", minLength: 1 },
      },
      $defs: { b: { const: { type: "anything" } } },
      patternProperties: { "^x": true },
    }),
  ],
  ["a tool of choice", { ...offering(look), tool_choice: { type: "tool", name: "look" } }],
  ["a choice that forces nothing", { ...offering(look), model: "claude-opus-5-5", tool_choice: { type: "auto" } }],
])("accepted: %s", (_what, body) => {
  expect(reject(body)).toBeNull();
});

test("S2: tools that are no list of tools", () => {
  expect(refusal(rules.toolsAreList, { ...plain, tools: { look } })).toBe("tools: Input should be a valid list");
  expect(refusal(rules.toolsAreList, offering(look, "fix"))).toBe("tools.1: Input should be a valid dictionary");
});

test("S9: a tool as another API has it", () => {
  expect(refusal(rules.toolKindExists, offering({ type: "function", function: look }))).toContain(
    "tools.0: Input tag 'function'",
  );
});

test("S10: a name with what no name may have", () => {
  for (const name of ["read log", "math.add", "", "ñandú", "x".repeat(129)]) {
    expect(refusal(rules.toolNameFits, offering(look, { ...look, name }))).toBe(
      "tools.1.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    );
  }
});

test("S11: a name twice", () => {
  expect(refusal(rules.toolNamesUnique, offering(look, { ...look }))).toBe("tools: Tool names must be unique.");
});

test.each<[what: string, schema: unknown]>([
  ["a type that is none", { type: "object", properties: { a: { type: "str" } } }],
  ["a type as a class", { type: "object", properties: { a: { type: null } } }],
  ["properties as a list", { type: "object", properties: ["a"] }],
  ["a property that is only its type", { type: "object", properties: { a: "string" } }],
  ["what is required said at the property", { type: "object", properties: { a: { type: "string", required: true } } }],
  ["an enum that is no list", { type: "object", properties: { a: { enum: "a" } } }],
  ["items that are text", { type: "object", properties: { a: { type: "array", items: "string" } } }],
  ["a choice that is no list", { type: "object", properties: { a: { anyOf: { type: "string" } } } }],
])("S12: %s", (_what, schema) => {
  expect(refusal(rules.schemaIsSchema, withSchema(schema))).toMatch(
    /^tools\.1\.custom\.input_schema: JSON schema is invalid\. It must match JSON Schema draft 2020-12/,
  );
});

test("S12: a schema that is no object", () => {
  for (const schema of ["{}", null, 3, []]) {
    expect(refusal(rules.schemaIsSchema, withSchema(schema))).toBe(
      "tools.1.custom.input_schema: Input should be a valid dictionary",
    );
  }
});

test("S13: a tool without what it cannot do without", () => {
  const { input_schema, ...bare } = look;
  expect(refusal(rules.toolIsComplete, offering({ ...bare, parameters: input_schema }))).toBe(
    "tools.0.custom.input_schema: Field required",
  );
  expect(refusal(rules.toolIsComplete, offering({ input_schema }))).toBe("tools.0.custom.name: Field required");
});

test("S15: a choice at the top of a schema", () => {
  expect(refusal(rules.schemaIsNoChoice, withSchema({ type: "object", oneOf: [{ type: "object" }] }))).toBe(
    "tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
  );
});

test("S17: a forced tool on a model that cannot be forced", () => {
  for (const type of ["tool", "any"]) {
    const body = { ...offering(look), model: "claude-opus-5-5", tool_choice: { type, name: "look" } };
    expect(refusal(rules.toolNotForced, body)).toBe(
      'tool_choice: type "tool" and "any" are not supported for this model.',
    );
  }
});
