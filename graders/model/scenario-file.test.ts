import { readFileSync, writeFileSync } from "node:fs";
import { Ajv } from "ajv";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { endlessScripts, scripts } from "./generate.ts";
import { parseScenario, ScenarioError, scenarioJsonSchema } from "./scenario-file.ts";

/** A small scenario that is right, as plain JSON to spoil. */
const good = () => ({
  $schema: "../scenario.schema.json",
  title: { es: "Reiniciar", en: "Restart" },
  vars: { service: ["payments", "billing"], n: { from: 3, to: 9 } } as Record<string, unknown>,
  userInput: { es: "Reinicia {{service}}", en: "Restart {{service}}" } as unknown,
  tools: [
    {
      name: "restart_service",
      description: { es: "Reinicia un servicio", en: "Restarts a service" } as unknown,
      input_schema: { type: "object", properties: { service: { type: "string" } }, required: ["service"] },
    },
  ],
  replies: [
    {
      thinking: "Thinking {{nonce}}",
      text: { es: "Voy {{nonce}}", en: "On it {{nonce}}" },
      calls: [
        {
          tool: "restart_service",
          input: { service: "{{service}}" },
          does: [
            { throws: "busy {{nonce}}" },
            { returns: { es: "listo {{nonce}}", en: "done {{nonce}}" }, takesMs: 30 },
          ],
        },
      ],
    },
    { fault: 529, retryAfterMs: 20 },
    { text: "{{lap}} {{n}} {{nonce}}" },
  ] as Record<string, unknown>[],
});

function problemOf(json: unknown): ScenarioError {
  try {
    parseScenario(json, "x.json");
  } catch (error) {
    if (error instanceof ScenarioError) return error;
    throw error;
  }
  throw new Error("the scenario was accepted");
}

/** The good scenario with the value at a path replaced; `undefined` removes it. */
function spoilt(path: string, value: unknown): unknown {
  const root = structuredClone(good()) as unknown as Record<string, unknown>;
  const keys = path.split(".");
  const parent = keys
    .slice(0, -1)
    .reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, root);
  if (value === undefined) delete parent[keys.at(-1)!];
  else parent[keys.at(-1)!] = value;
  return root;
}

test("a right scenario is accepted and given back", () => {
  expect(parseScenario(good(), "x.json")).toEqual(good());
});

test("generated scenarios are accepted", () => {
  fc.assert(
    fc.property(fc.oneof(scripts, endlessScripts), (file) => {
      expect(parseScenario(file, "x.json")).toEqual(file);
    }),
  );
});

test.each<[what: string, path: string, value: unknown, at: string, says: string]>([
  ["a missing translation", "replies.0.text", { es: "Voy {{nonce}}" }, "replies[0].text.en", "string"],
  ["an unknown key", "replies.0.txt", "hello", "replies[0]", "txt"],
  ["a fault the API does not know", "replies.1.fault", 503, "replies[1].fault", "429"],
  ["a retry delay that clients ignore", "replies.1.retryAfterMs", 0, "replies[1].retryAfterMs", "1 or more"],
  ["a schema that is no object", "tools.0.input_schema.type", "array", "tools[0].input_schema.type", "object"],
  [
    "a behaviour that is none",
    "replies.0.calls.0.does",
    { return: 1 },
    "replies[0].calls[0].does.returns",
    "Correct it",
  ],
  ["no replies", "replies", [], "replies", "at least 1 item"],
  ["an unknown tool", "replies.0.calls.0.tool", "reboot", "replies[0].calls[0].tool", "invented"],
  ["an invented tool that exists", "replies.0.calls.0.invented", true, "replies[0].calls[0].invented", "does exist"],
  ["a missing operand", "replies.0.calls.0.input", {}, "replies[0].calls[0].input", '"service"'],
  ["a call that does nothing", "replies.0.calls.0.does", undefined, "replies[0].calls[0]", "`does` is missing"],
  ["text without a nonce", "replies.0.text", "Hello", "replies[0].text", "exactly one {{nonce}}"],
  ["a nonce in one language only", "replies.0.text.en", "Hello", "replies[0].text", '"en" has 0'],
  ["thinking with two nonces", "replies.0.thinking", "{{nonce}}{{nonce}}", "replies[0].thinking", "has 2"],
  [
    "a result without a nonce",
    "replies.0.calls.0.does.1.returns",
    { a: 1 },
    "replies[0].calls[0].does[1].returns",
    "has 0",
  ],
  ["an error without a nonce", "replies.0.calls.0.does.0.throws", "no", "replies[0].calls[0].does[0].throws", "has 0"],
  [
    "a nonce in an input",
    "replies.0.calls.0.input.service",
    "{{nonce}}",
    "replies[0].calls[0].input",
    "may only stand",
  ],
  ["an undeclared variable", "userInput", "Hi {{who}}", "userInput", "{{who}} is not declared"],
  [
    "an undeclared variable, deep down",
    "replies.0.calls.0.input.a",
    [{ b: "{{who}}" }],
    "replies[0].calls[0].input.a[0].b",
    "{{who}}",
  ],
  ["braces with a blank", "tools.0.description", "{{ n }}", "tools[0].description", "without spaces"],
  ["a variable of a taken name", "vars.lap", ["a"], "vars.lap", "another name"],
  ["a range upside down", "vars.n", { from: 3, to: 1 }, "vars.n", "Swap"],
  ["an endless script that goes on nowhere", "endless", { from: 3 }, "replies[2]", "never reached"],
  ["a last reply that asks for tools", "replies", [good().replies[0]], "replies[0].calls", "endless"],
  ["a fault at the end", "replies", [{ fault: 500 }], "replies[0]", "Add the reply"],
  ["a reply after the end", "replies", [{ text: "{{nonce}}" }, { text: "{{nonce}}" }], "replies[0]", "never reached"],
  ["tool_use without a call", "replies.2.stopReason", "tool_use", "replies[2].stopReason", "Add `calls`"],
  ["an end of turn with calls", "replies.0.stopReason", "end_turn", "replies[0].stopReason", "never asks"],
  ["a further text without a nonce", "replies.2.more", ["{{nonce}}", "no"], "replies[2].more[1]", "has 0"],
  ["further texts and no first one", "replies.2", { more: ["{{nonce}}"] }, "replies[2].more", "first text block"],
  ["a paused turn with calls", "replies.0.stopReason", "pause_turn", "replies[0].stopReason", "never asks"],
])("%s is an error that says where and what to do", (_what, path, value, at, says) => {
  const problem = problemOf(spoilt(path, value));
  expect(problem.path).toBe(at);
  expect(problem.message).toContain(`x.json, at ${at}: `);
  expect(problem.message).toContain(says);
  expect(problem.text.en).toBe(problem.message);
  expect(problem.text.es).toContain(`x.json, en ${at}: `);
});

test("two tools of one name are an error", () => {
  const file = good();
  file.tools.push(file.tools[0]!);
  expect(problemOf(file).path).toBe("tools[1].name");
});

test("an index past the script is no place to go on from", () => {
  const file = { ...good(), replies: [good().replies[0]!], endless: { from: 1 } };
  expect(problemOf(file).path).toBe("endless.from");
});

test("what an invented tool does is an error: it does nothing", () => {
  const call = { tool: "reboot", input: {}, invented: true, does: { returns: "{{nonce}}" } };
  const file = { ...good(), replies: [{ calls: [call] }, { text: "{{nonce}}" }] };
  expect(problemOf(file).path).toBe("replies[0].calls[0].does");
});

test("a call of a reply that was cut short may lack what the tool requires", () => {
  const call = { tool: "restart_service", input: {}, does: { returns: "{{nonce}}" } };
  const file = { ...good(), replies: [{ calls: [call], stopReason: "max_tokens" }, { text: "{{nonce}}" }] };
  expect(() => parseScenario(file, "x.json")).not.toThrow();
});

test("a refusal may end a script with a call in it", () => {
  const call = { tool: "restart_service", input: { service: "a" }, does: { returns: "{{nonce}}" } };
  const file = { ...good(), replies: [{ calls: [call], stopReason: "refusal" }] };
  expect(() => parseScenario(file, "x.json")).not.toThrow();
});

test("what is no scenario at all is an error of the file", () => {
  for (const json of [null, 3, "text", []]) expect(problemOf(json).message, String(json)).toMatch(/^x\.json: /);
});

test("fixtures/scenario.schema.json is what the schema gives", () => {
  const path = new URL("../../fixtures/scenario.schema.json", import.meta.url);
  const schema = scenarioJsonSchema();
  if (process.env.UPDATE) writeFileSync(path, `${JSON.stringify(schema, null, 2)}\n`);
  expect(
    JSON.parse(readFileSync(path, "utf8")),
    "regenerate it: UPDATE=1 npx vitest run --project kit graders/model",
  ).toEqual(schema);
});

test("the JSON Schema accepts what the parser accepts, and finds an unknown key", () => {
  const validate = new Ajv({ strict: false }).compile(scenarioJsonSchema());
  fc.assert(fc.property(fc.oneof(scripts, endlessScripts), (file) => validate(file)));
  expect(validate(good()), JSON.stringify(validate.errors)).toBe(true);
  expect(validate(spoilt("replies.0.txt", "hello"))).toBe(false);
});
