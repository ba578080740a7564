import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, Scenario } from "../trace/scenario.ts";
import { endlessScripts, scripts, seeds } from "./generate.ts";
import { openScenario } from "./scenario.ts";
import { parseScenario, type ScenarioFile } from "./scenario-file.ts";

const file = parseScenario(
  {
    title: "t",
    vars: { service: ["payments", "billing", "search", "mail"], n: { from: 3, to: 9 } },
    userInput: { es: "Reinicia {{service}} {{n}} veces", en: "Restart {{service}} {{n}} times" },
    tools: [
      {
        name: "restart",
        description: { es: "Reinicia {{service}}", en: "Restarts {{service}}" },
        input_schema: {
          type: "object",
          properties: { n: { type: "integer", description: { es: "cuántas", en: "how many" } } },
        },
      },
    ],
    replies: [
      {
        thinking: "hm {{nonce}}",
        text: { es: "Voy {{nonce}}", en: "On it {{nonce}}" },
        calls: [
          {
            tool: "restart",
            input: { n: "{{n}}", text: "n={{n}}", lap: "{{lap}}" },
            does: [
              { throws: { es: "no {{nonce}}", en: "nope {{nonce}}" } },
              { returns: { es: "sí {{nonce}}", en: "yes {{nonce}}" }, takesMs: 5 },
            ],
          },
          { tool: "restart", input: {}, refuse: true },
          { tool: "reboot", input: {}, invented: true },
          { tool: "restart", input: {}, does: { hangs: true } },
        ],
      },
      { fault: 429, retryAfterMs: 7 },
      { fault: 500 },
      { text: "{{n}} {{nonce}}" },
    ],
  },
  "t.json",
);

const open = (options: Partial<{ name: string; seed: string; lang: "es" | "en" }> = {}, from: ScenarioFile = file) =>
  openScenario(from, { name: "t", seed: "s", lang: "en", ...options });

/** Every nonce of an entry. */
function noncesOf(entry: Entry): string[] {
  if (entry.kind === "fault") return [];
  return entry.content.flatMap((block) => {
    if (block.type === "redacted_thinking") return [];
    if (block.type !== "tool_use") return [block.nonce];
    return block.does.flatMap((behaviour) => (behaviour.kind === "hangs" ? [] : [behaviour.nonce]));
  });
}

function entriesOf(scenario: Scenario, count = scenario.length): Entry[] {
  return Array.from({ length: count }, (_, i) => scenario.entry(i));
}

test("the same seed, name and language give the same scenario", () => {
  fc.assert(
    fc.property(scripts, seeds, (generated, seed) => {
      const [a, b] = [open({ seed }, generated), open({ seed }, generated)];
      expect(entriesOf(a)).toEqual(entriesOf(b));
      expect(a.userInput).toBe(b.userInput);
    }),
  );
});

test("another seed draws other values and nonces", () => {
  const inputs = new Set(Array.from({ length: 50 }, (_, i) => open({ seed: String(i) }).userInput));
  expect(inputs.size).toBeGreaterThan(15);
  expect(noncesOf(open({ seed: "a" }).entry(0))).not.toEqual(noncesOf(open({ seed: "b" }).entry(0)));
});

test("the language changes texts, but no drawn value and no nonce", () => {
  const [es, en] = [open({ lang: "es" }), open({ lang: "en" })];
  expect(entriesOf(es).map(noncesOf)).toEqual(entriesOf(en).map(noncesOf));
  const drawn = (text: string) => text.split(" ").filter((word) => /^(\d+|payments|billing|search|mail)$/.test(word));
  expect(drawn(es.userInput)).toEqual(drawn(en.userInput));
  expect(es.userInput).not.toBe(en.userInput);
  expect(es.tools[0]?.input_schema.properties).toEqual({ n: { type: "integer", description: "cuántas" } });
  expect(en.tools[0]?.description).toMatch(/^Restarts (payments|billing|search|mail)$/);
});

test("blocks come in the order thinking, text, calls, and hold their nonce", () => {
  const entry = open().entry(0);
  if (entry.kind === "fault") throw new Error("not a reply");
  expect(entry.content.map((block) => block.type)).toEqual(["thinking", "text", ...Array(4).fill("tool_use")]);
  expect(entry.stopReason).toBe("tool_use");
  for (const block of entry.content) {
    if (block.type === "text") expect(block.text).toBe(`On it ${block.nonce}`);
    if (block.type === "thinking") expect(block.thinking).toBe(`hm ${block.nonce}`);
  }
});

test("further texts come after the first, before the calls, each with a nonce of its own", () => {
  const [first, ...rest] = file.replies;
  const entry = open(
    {},
    { ...file, replies: [{ ...first, more: ["then {{nonce}}", "{{n}} {{nonce}}"] }, ...rest] },
  ).entry(0);
  if (entry.kind === "fault") throw new Error("not a reply");
  expect(entry.content.map((block) => block.type).slice(0, 5)).toEqual([
    "thinking",
    "text",
    "text",
    "text",
    "tool_use",
  ]);
  for (const block of entry.content) if (block.type === "text") expect(block.text).toContain(block.nonce);
  expect(new Set(noncesOf(entry)).size).toBe(noncesOf(entry).length);
});

test("a call's input holds numbers where the file has nothing but a name", () => {
  const entry = open().entry(0);
  const call = entry.kind === "reply" ? entry.content[2] : undefined;
  if (call?.type !== "tool_use") throw new Error("not a call");
  const n = call.input.n as number;
  expect(n).toBeTypeOf("number");
  expect(call.input).toEqual({ n, text: `n=${n}`, lap: 1 });
  expect(call.does).toEqual([
    { kind: "throws", takesMs: 0, message: expect.stringMatching(/^nope #/), nonce: expect.any(String) },
    { kind: "returns", takesMs: 5, value: expect.stringMatching(/^yes #/), nonce: expect.any(String) },
  ]);
});

test("calls to refuse, invented ones and hanging ones know what they do", () => {
  const entry = open().entry(0);
  const [, refuse, invented, hangs] =
    entry.kind === "reply" ? entry.content.filter((block) => block.type === "tool_use") : [];
  expect(refuse).toMatchObject({
    refuse: true,
    does: [{ kind: "returns", value: expect.stringContaining("should have been refused") }],
  });
  expect(invented).toMatchObject({
    refuse: false,
    does: [{ kind: "throws", message: expect.stringMatching(/^Unknown tool: reboot /) }],
  });
  expect(hangs).toMatchObject({ does: [{ kind: "hangs" }] });
});

test("a fault has the API's own words", () => {
  expect(open().entry(1)).toEqual({
    kind: "fault",
    status: 429,
    error: { type: "rate_limit_error", message: expect.stringContaining("rate limit") },
    retryAfterMs: 7,
    when: "at-once",
  });
  expect(open().entry(2)).toMatchObject({
    status: 500,
    error: { type: "api_error", message: "Internal server error" },
    retryAfterMs: null,
  });
});

test("past the end of a script stands its last reply", () => {
  const scenario = open();
  expect(scenario.entry(4)).toEqual(scenario.entry(3));
  expect(scenario.entry(99)).toEqual(scenario.entry(3));
});

test("an index that is none is an error", () => {
  expect(() => open().entry(-1)).toThrow(RangeError);
});

test("no nonce occurs twice in a run, however long", () => {
  fc.assert(
    fc.property(fc.oneof(scripts, endlessScripts), seeds, (generated, seed) => {
      const scenario = open({ seed }, generated);
      const nonces = entriesOf(scenario, scenario.endlessFrom === null ? scenario.length : 100).flatMap(noncesOf);
      expect(new Set(nonces).size).toBe(nonces.length);
    }),
  );
});

test("an endless script goes on at its index, counts laps and draws anew", () => {
  const scenario = open(
    {},
    {
      ...file,
      replies: [
        { calls: [{ tool: "restart", input: { first: true }, does: { returns: "{{nonce}}" } }] },
        { calls: [{ tool: "restart", input: { lap: "{{lap}}", n: "{{n}}" }, does: { returns: "{{nonce}}" } }] },
        { fault: 529 },
      ],
      endless: { from: 1 },
    },
  );
  const inputs = entriesOf(scenario, 21).map((entry) => {
    const call = entry.kind === "reply" ? entry.content[0] : undefined;
    return call?.type === "tool_use" ? call.input : null;
  });
  expect(scenario.expected).toBeNull();
  expect(inputs.slice(0, 3)).toEqual([{ first: true }, { lap: 1, n: expect.any(Number) }, null]);
  expect(inputs.slice(3, 7).map((input) => input?.lap ?? null)).toEqual([2, null, 3, null]);
  expect(new Set(inputs.map((input) => input?.n)).size).toBeGreaterThan(2);
});

const reply = (stopReason?: string) => ({ text: "{{nonce}}", ...(stopReason && { stopReason }) });
const calls = (count: number, more = {}) => ({
  calls: Array(count).fill({ tool: "restart", input: {}, does: { returns: "{{nonce}}" }, ...more }),
});

test.each<[what: string, replies: unknown[], expected: [callModel: number, executeTool: number, messages: number]]>([
  ["an answer at once", [reply()], [1, 0, 1]],
  ["two turns of tools", [calls(3), calls(1), reply()], [3, 4, 5]],
  ["faults, which are no replies", [{ fault: 429 }, calls(1), { fault: 500 }, reply()], [2, 1, 3]],
  [
    "a cut reply, whose calls are not run and which is asked for again",
    [{ ...calls(2), stopReason: "max_tokens" }, calls(2), reply()],
    [3, 2, 3],
  ],
  ["a paused turn before tools, one message with them", [reply("pause_turn"), calls(1), reply()], [3, 1, 3]],
  ["a paused turn before the answer", [calls(1), reply("pause_turn"), reply()], [3, 1, 4]],
  ["a call to refuse", [{ calls: [...calls(1).calls, ...calls(1, { refuse: true }).calls] }, reply()], [2, 1, 3]],
  ["a refusal, which ends it", [calls(1), { ...calls(1), stopReason: "refusal" }, reply()], [2, 1, 3]],
  ["a full context window, which ends it", [reply("model_context_window_exceeded"), reply()], [1, 0, 1]],
])("expected counts: %s", (_what, replies, [callModel, executeTool, messages]) => {
  const parsed = parseScenario({ ...file, replies }, "t.json");
  expect(open({}, parsed).expected).toEqual({ callModel, executeTool, messages });
});
