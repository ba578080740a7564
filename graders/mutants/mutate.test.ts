import { expect, test } from "vitest";
import { readCode } from "./code.ts";
import { mutantsOf, operators } from "./mutate.ts";

/** Per operator a file and all that the operator makes of it. */
const MAKES: Record<string, [source: string, mutants: string[]][]> = {
  "block-type": [
    [
      'a.type === "text";',
      ["tool_use", "thinking", "tool_result", "server_tool_use"].map((type) => `a.type === "${type}";`),
    ],
    ['a.name === "text"; a.type === "other";', []],
  ],
  "drop-argument": [
    ["f(a, b, c);", ["f(b, c);", "f(a, c);", "f(a, b);"]],
    ["new F(a);", ["new F();"]],
  ],
  "drop-await": [["const a = await f(await g());", ["const a = f(await g());", "const a = await f(g());"]]],
  "drop-member": [["[a, ...b];", ["[...b];", "[a];"]]],
  "drop-method": [
    ["const a = b.filter(c).map(d);", ["const a = b.filter(c);", "const a = b.map(d);"]],
    ["list.push(a); const b = JSON.stringify(c);", []],
  ],
  "drop-not": [
    ["!a; -b; typeof c; void d;", ["a; -b; typeof c; void d;", "!a; b; typeof c; void d;", "!a; -b; c; void d;"]],
  ],
  "drop-operand": [
    ["while (a && b < 9) {}", ["while (a) {}", "while (b < 9) {}"]],
    ["a ?? b;", ["a;", "b;"]],
  ],
  "drop-optional": [["a?.b; a?.[0]; a?.();", ["a.b; a?.[0]; a?.();", "a?.b; a[0]; a?.();", "a?.b; a?.[0]; a();"]]],
  "drop-property": [
    [
      "({ is_error: true, content, ...rest });",
      ["({ content, ...rest });", "({ is_error: true, ...rest });", "({ is_error: true, content });"],
    ],
    ["const { a, b } = c;", []],
  ],
  "drop-return-value": [
    [
      "function f() { return 1; } (a) => a; () => { return; };",
      [
        "function f() { return; } (a) => a; () => { return; };",
        "function f() { return 1; } (a) => undefined; () => { return; };",
      ],
    ],
  ],
  "drop-spread": [["f(...a); [...b]; ({ ...c });", ["f(a); [...b]; ({ ...c });", "f(...a); [b]; ({ ...c });"]]],
  "drop-statement": [
    [
      "let a = 1; export function f() { g(); }",
      [" export function f() { g(); }", "let a = 1; export function f() {  }"],
    ],
    ["if (a) b();", ["", "if (a) {}"]],
    ["for (const a of b) { c(); }", ["", "for (const a of b) {  }", "for (const a of b) {}"]],
    ['import a from "a"; type B = string;', []],
  ],
  "empty-catch": [["try { a(); } catch (e) { b(e); }", ["try { a(); } catch (e) {}"]]],
  "empty-collection": [["f([a], [], { b }, {});", ["f([], [], { b }, {});", "f([a], [], {}, {});"]]],
  "empty-string": [
    [
      'const a: "x" = "b"; f(`c`, ""); ({ "d": 1 });',
      ['const a: "x" = ""; f(`c`, ""); ({ "d": 1 });', 'const a: "x" = "b"; f(``, ""); ({ "d": 1 });'],
    ],
    ['import a from "a"; export * from "b"; "use strict";', []],
  ],
  "filter-to-find": [
    [
      "a.filter(f);",
      [
        "[a.find(f)!];",
        "a.filter(f).slice(0, 1);",
        "a.filter(f).slice(-1);",
        "a.filter(f).slice(1);",
        "a.filter(f).reverse();",
      ],
    ],
    ["a.find(f); filter(g);", []],
  ],
  "flip-arithmetic": [
    ["a + b; s += 1;", ["a - b; s += 1;", "a + b; s -= 1;", "a + b; s = 1;"]],
    ["n++; --m;", ["n--; --m;", "n++; ++m;"]],
  ],
  "flip-boolean": [["f(true, false);", ["f(false, false);", "f(true, true);"]]],
  "flip-comparison": [
    ["a === b;", ["a !== b;"]],
    ["a <= b;", ["a > b;", "a < b;"]],
    ["a instanceof B;", ["!(a instanceof B);"]],
    ["a + b;", []],
  ],
  "flip-logical": [
    ["a && b;", ["a || b;"]],
    ["a ?? b;", ["a || b;", "a && b;"]],
  ],
  "for-each-async": [
    [
      "for (const a of b) { if (c) continue; await f(a); }",
      ["b.forEach(async (a) => { if (c) return; await f(a); });"],
    ],
    ["for (const a of b) { if (c) break; }", []],
    [
      "for (const a of b) { c.map(() => { return a; }); }",
      ["b.forEach(async (a) => { c.map(() => { return a; }); });"],
    ],
  ],
  "force-condition": [
    ["while (a < 9) {}", ["while (true) {}", "while (false) {}"]],
    [
      "a.filter((b) => b.c === d); a.map((b) => b.c);",
      ["a.filter((b) => true); a.map((b) => b.c);", "a.filter((b) => false); a.map((b) => b.c);"],
    ],
    ["const a = b ? c : d;", ["const a = true ? c : d;", "const a = false ? c : d;"]],
    ["function f() { return a && !b; }", ["function f() { return true; }", "function f() { return false; }"]],
  ],
  "hoist-declaration": [["while (a) { const b = []; f(b); }", ["const b = []; while (a) {  f(b); }"]]],
  jump: [
    [
      "while (a) { if (b) continue; break; }",
      ["while (a) { if (b) break; break; }", "while (a) { if (b) continue; continue; }"],
    ],
    ["switch (a) { case 1: break; }", []],
  ],
  "negate-condition": [["if (a === b) c();", ["if (!(a === b)) c();"]]],
  "one-lap": [
    ["for (const a of b) { c(); }", ["for (const a of b) { c(); break; }"]],
    ["while (a) { b(); }", ["while (a) { b(); break; }", "do { b(); } while (a);"]],
  ],
  "other-property": [
    ["f(a.id, a.name, b.id); a.push(1);", ["f(a.name, a.name, b.id); a.push(1);", "f(a.id, a.id, b.id); a.push(1);"]],
  ],
  "other-variable": [
    ["const a = []; const b = []; const c = 1; f({ b });", ["const a = []; const b = []; const c = 1; f({ b: a });"]],
    ["function f(a: string, b: string) { return a; }", ["function f(a: string, b: string) { return b; }"]],
    ["const a = []; f(a); const b = [];", []],
  ],
  "push-to-unshift": [["a.push(b);", ["a.unshift(b);"]]],
  rethrow: [["try { a(); } catch { b(); }", ["try { a(); } catch (thrown) { throw thrown; }"]]],
  "shadow-assignment": [["let a = 1; a = 2; b.c = 3;", ["let a = 1; const a = 2; b.c = 3;"]]],
  "shift-number": [
    ["a < 10;", ["a < 11;", "a < 9;", "a < 0;"]],
    ["let a = 0;", ["let a = 1;", "let a = (-1);"]],
  ],
  "stale-read": [
    ["let a = f(); a = g(); h({ a });", ["let a = f(); const firstA = a; a = g(); h({ a: firstA });"]],
    ["const a = []; f(a); a.push(1); g(a);", ["const a = []; const firstA = [...a]; f(a); a.push(1); g(firstA);"]],
    ["let a = f(); while (a) { a = g(); }", ["let a = f(); const firstA = a; while (firstA) { a = g(); }"]],
    ["const a = []; f(a);", []],
  ],
  "stop-reason": [
    [
      'if (r.stop_reason !== "refusal") f();',
      ["end_turn", "tool_use", "max_tokens", "stop_sequence", "pause_turn", "model_context_window_exceeded"].flatMap(
        (reason) => [`if (r.stop_reason !== "${reason}") f();`, `if (r.stop_reason === "${reason}") f();`],
      ),
    ],
    ['block.type === "tool_use";', []],
    [
      'switch (r.stop_reason) { case "end_turn": f(); }',
      ["tool_use", "max_tokens", "stop_sequence", "pause_turn", "refusal", "model_context_window_exceeded"].map(
        (reason) => `switch (r.stop_reason) { case "${reason}": f(); }`,
      ),
    ],
  ],
  "swap-arguments": [["f(a, b); [c, d];", ["f(b, a); [c, d];", "f(a, b); [d, c];"]]],
  "swap-statements": [
    ["a(); b(); c();", ["b(); a(); c();", "a(); c(); b();"]],
    ["a(); function f() {} export const b = 1;", []],
  ],
  "text-only": [
    [
      "f({ content: r.content }); g(r.content);",
      [
        'f({ content: r.content.filter((part) => part.type === "text") }); g(r.content);',
        'f({ content: r.content.map((part) => (part.type === "text" ? part.text : "")).join("") }); g(r.content);',
      ],
    ],
  ],
  "unwrap-call": [
    [
      "String(a); JSON.stringify(b); c.push(d); e(f, g);",
      ["(a); JSON.stringify(b); c.push(d); e(f, g);", "String(a); (b); c.push(d); e(f, g);"],
    ],
  ],
};

test("each operator is shown at work", () => {
  expect(Object.keys(MAKES).sort()).toEqual(Object.keys(operators).sort());
});

for (const [name, examples] of Object.entries(MAKES)) {
  test(`${name} makes these mistakes and no others`, async () => {
    for (const [source, mutants] of examples) expect(await made(name, source)).toEqual(mutants);
  });
}

/** What one operator makes of a file, in its own order. */
async function made(name: string, source: string): Promise<string[]> {
  const changes = operators[name]!(await readCode("agent.ts", source));
  return changes.map((change) =>
    [...change]
      .sort((a, b) => b.start - a.start)
      .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), source),
  );
}

const LOOP = `export async function runAgent(userInput) {
  let response = await ask();
  while (response.stop_reason === "tool_use") {
    response = await ask();
    note("lap");
    note("lap");
    note("end");
  }
  return response;
}
`;

test("a text that two operators make is one mutant, under the keys of both", async () => {
  const mutants = await mutantsOf("agent.ts", LOOP);
  const texts = mutants.map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts).not.toContain(LOOP);
  const negated = mutants.find(({ text }) => text.includes('stop_reason !== "tool_use"'));
  expect(negated?.keys.map(({ operator }) => operator)).toEqual(["flip-comparison"]);
  const never = mutants.find(({ text }) => text.includes('"end_turn"') && !text.includes("!=="));
  expect(never?.keys).toEqual([
    {
      operator: "stop-reason",
      was: 'while (response.stop_reason === "tool_use") {',
      is: 'while (response.stop_reason === "end_turn") {',
      occurrence: 1,
    },
  ]);
  const shared = await mutantsOf("agent.ts", "f([a]);\n");
  expect(shared.find(({ text }) => text === "f([]);\n")?.keys.map(({ operator }) => operator)).toEqual([
    "drop-member",
    "empty-collection",
  ]);
});

test("mutants that differ in blank space only are one; alike lines are told apart by their number", async () => {
  const mutants = await mutantsOf("agent.ts", LOOP);
  const dropped = mutants.filter(({ keys }) =>
    keys.some(({ operator, was }) => operator === "drop-statement" && was === 'note("lap");'),
  );
  expect(dropped).toHaveLength(1);
  const occurrences = dropped[0]!.keys
    .filter(({ operator }) => operator === "drop-statement")
    .map((key) => key.occurrence);
  expect(occurrences).toEqual([1, 2]);
});

test("a key stays the same when the file moves around it", async () => {
  const keysOf = async (text: string) =>
    new Set((await mutantsOf("agent.ts", text)).flatMap(({ keys }) => keys.map((key) => JSON.stringify(key))));
  const moved = `// a note\n\n${LOOP.replaceAll("\n", "\n  ")}`;
  expect(await keysOf(moved)).toEqual(await keysOf(LOOP));
});

test("the keys of one file are all different", async () => {
  const keys = (await mutantsOf("agent.ts", LOOP)).flatMap((mutant) => mutant.keys.map((key) => JSON.stringify(key)));
  expect(new Set(keys).size).toBe(keys.length);
});

test("a change over many lines is known by its ends", async () => {
  const mutants = await mutantsOf("agent.ts", LOOP);
  const dropped = mutants.find(({ text }) => !text.includes("while"));
  expect(dropped?.keys[0]).toMatchObject({
    was: ['while (response.stop_reason === "tool_use") {', "response = await ask();", "…", 'note("end");', "}"].join(
      "\n",
    ),
    is: "",
  });
});

test("every mutant still parses", async () => {
  for (const { text } of await mutantsOf("agent.ts", LOOP))
    await expect(readCode("agent.ts", text)).resolves.toBeDefined();
});

test("a file that does not parse is refused", async () => {
  await expect(mutantsOf("agent.ts", "while (")).rejects.toThrow("agent.ts does not parse");
});
