import { transform } from "esbuild";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Woven, weave } from "./guard.ts";
import { parse } from "./parse.ts";

/** A guard that looks at every pass and writes down what it is asked. */
const asked: [number, number][] = [];
const guard = {
  h: 0,
  n: 0,
  c: (site: number, since: number) => {
    asked.push([site, since]);
    return 0;
  },
};
const out: string[] = [];
const log = (...values: unknown[]) => void out.push(values.map((value) => JSON.stringify(value)).join(" "));
Object.assign(globalThis, { testGuard: guard, log });
const GUARD_MODULE = '"data:text/javascript,export const guard = globalThis.testGuard"';

async function woven(source: string, name = "agent.ts", firstSite = 0): Promise<Woven> {
  const parsed = await parse(name, source);
  if (!parsed.ok) throw new Error(`does not parse: ${JSON.stringify(parsed.fault)} in ${source}`);
  const result = weave(name, source, parsed.value, firstSite);
  if (result === null) throw new Error("nests too deep");
  return result;
}

let runs = 0;

/** Runs a program that `log`s; what it logged, and what it threw. */
async function logOf(source: string): Promise<string[]> {
  runs += 1;
  const { code } = await transform(source.replaceAll('"#guard"', GUARD_MODULE), { loader: "ts", target: "node20" });
  out.length = 0;
  try {
    await import(
      /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(`${code}\n//${runs}`).toString("base64")}`
    );
  } catch (error) {
    out.push(`threw ${error}`);
  }
  return [...out];
}

/** The guard's questions while a program ran: `[site, since]` each, `since` relative to the run's start. */
async function questionsOf(source: string): Promise<[number, number][]> {
  asked.length = 0;
  const before = guard.h;
  await logOf((await woven(source)).code);
  return asked.map(([site, since]) => [site, since < 0 ? since : since - before]);
}

const PROGRAMS: Record<string, string> = {
  "every kind of loop": `
    let i = 0; while (i < 3) { log("while", i++); }
    do { log("do", i--); } while (i > 0);
    for (let j = 0; j < 3; j++) { log("for", j); }
    for (const k in { a: 1, b: 2 }) { log("in", k); }
    for (const v of [1, 2]) { log("of", v); }
    async function* g() { yield 1; yield 2; }
    for await (const v of g()) { log("await", v); }`,
  "bodies that are one statement": `
    let i = 0; while (i < 3) i++; log(i);
    do i--; while (i > 0); log(i);
    do i++
    while (i < 4) log(i);
    for (let j = 0; j < 3; j++) log(j);
    for (const k in { a: 1 }) log(k)
    for (const v of [1, 2]) if (v > 1) log("big"); else log("small");`,
  "bodies that are empty": `
    let i = 0; while (i++ < 3); log(i);
    for (i = 0; i < 5; i++); log(i);
    do ; while (i-- > 0); log(i);
    for (;;) { break }
    for (const _ of []) {} log("end");`,
  "loops as bodies of if, else and of other loops": `
    const f = (a) => { if (a) for (let i = 0; i < 2; i++) log("yes", i); else while (true) { log("no"); break } };
    f(true); f(false);
    for (let i = 0; i < 2; i++) for (let j = 0; j < 2; j++) while (true) { log(i, j); break }
    if (false) while (true); else do log("once"); while (false)
    if (true) for (const x of [1]) log(x)
    else log("never");`,
  "labels, continue and break": `
    outer: for (let i = 0; i < 3; i++) { inner: for (let j = 0; j < 3; j++) { if (j === 1) continue outer; if (i === 2) break outer; log(i, j); } }
    a: b: c: while (true) { for (;;) { break b } }
    block: { for (;;) { break block } log("never"); }
    l: do { log("do"); continue l } while (false);
    m: for (const x of [1, 2]) n: for (const y of [1, 2]) { if (y === 2) continue m; log(x, y); continue n }
    p: if (true) { for (;;) break p; }`,
  "a closure for each pass": `
    const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); log(fs.map((f) => f()));
    const gs = []; for (let i = 0; i < 3; i++) { gs.push(() => i); i += 0; } log(gs.map((f) => f()));
    const hs = []; for (const k of [1, 2]) hs.push(() => k); log(hs.map((f) => f()));
    for (var v = 0; v < 3; v++); log(v);
    for (let f = () => ("a" in { a: 1 }); f(); f = () => false) log("in header");`,
  "switch inside loops, loops inside switch": `
    for (let i = 0; i < 4; i++) { switch (i) { case 0: continue; case 1: log("one"); break; case 2: for (;;) { break } log("two"); default: log("other", i); } }
    switch (1) { case 1: for (const x of [1]) log(x); case 2: while (true) break; log("fell through") }`,
  "try and finally": `
    const f = () => { for (;;) try { return "returned" } finally { log("finally"); } };
    log(f());
    for (let i = 0; i < 2; i++) try { if (i) throw new Error("x"); log("fine"); } catch { log("caught"); continue } finally { log("end", i); }
    while (true) { try { break } finally { log("left"); } }`,
  "do-while with continue": `
    let i = 0; do { i++; if (i === 2) continue; log(i); } while (i < 4)
    do if (i-- > 2) continue; else log("low", i); while (i > 0)`,
  generators: `
    function* count(n) { for (let i = 0; i < n; i++) { const got = yield i; if (got) log("got", got); } return "end" }
    const it = count(2); log(it.next(), it.next("x"), it.next(), it.next());
    log([...count(3)]); const [first] = count(5); log(first);
    class A { *[Symbol.iterator]() { yield* count(2) } } log([...new A()]);`,
  "async functions and generators": `
    const wait = (v) => new Promise((r) => setTimeout(r, 1, v));
    async function* ticks() { let i = 0; while (await wait(i < 3)) yield i++; }
    for await (const t of ticks()) { if (t === 1) continue; log(t); }
    const arrow = async (x) => await wait(x) + 1; log(await arrow(1));
    const all = await Promise.all([1, 2].map(async (x) => { for (;;) { return await wait(x) } })); log(all);
    async function fails() { throw new Error("no") } await fails().catch((e) => log(e.message));
    for (let i = 0; await wait(i) < 2; i++) log("cond", i);`,
  classes: `
    class Base { constructor(x) { log("base", x); this.x = x } get double() { return this.x * 2 } set double(v) { this.x = v / 2 } static make() { return new this(1) } }
    class Derived extends Base { y = 2; z = () => this.y; #p = 3; static s = (() => "static")(); static { for (const k of [1]) log("block", k) }
      constructor(public q = (() => 7)()) { super(5); log("derived", this.q) } async m() { return this.#p } *g() { yield this.y } ["comp" + "uted"]() { return 1 } }
    const d = new Derived(); log(d.double, d.z(), await d.m(), [...d.g()], d.computed(), Derived.s); d.double = 8; log(d.x, Derived.make().x);
    class Implicit extends Base {} log(new Implicit(3).x);
    const o = { get a() { return 1 }, set a(v) { log("set", v) }, m() { return this.a }, async *ag() { yield 1 }, f: function () { return this.m() } }; o.a = 2; log(o.m(), o.f()); for await (const x of o.ag()) log(x);`,
  "arrows with an expression": `
    const obj = () => ({ a: 1 }); const nested = (a) => (b) => (c) => a + b + c; const comma = (a) => (a++, a); const cond = (a) => a ? "y" : "n";
    log(obj(), nested(1)(2)(3), comma(1), cond(0)); const spread = (...xs) => [...xs]; log(spread(1, 2));
    const assigned = (x) => y = x; let y; log(assigned(4), y); const templ = (x) => \`<\${x}>\`; log(templ(1)); const typed = (x) => x as string; log(typed("t"));
    const voided = () => void 0; log(voided() === undefined); const re = (s) => /a/.test(s); log(re("a")); const fn = () => function () { return 9 }; log(fn()());
    const aw = async () => await 1; log(await aw()); const yields = () => (function* () { yield 1 })(); log([...yields()]); log(((a, b = () => a) => b())(3));
    log(obj.name, nested.name, (() => {}).name);`,
  "default parameters and destructuring": `
    const f = ({ a = () => 1, b: { c = (() => 2)() } = {} } = {}, [d = () => 3] = []) => [a(), c, d()]; log(f());
    for (const { a, b = (() => a)() } of [{ a: 1 }]) log(a, b);
    function g(x = () => { for (;;) return "in default" }) { return x() } log(g());`,
  "lines that rely on inserted semicolons": `
    const a = 1
    for (const x of [a]) log(x)
    ;[1, 2].forEach((x) => log(x))
    let b = a
    while (b < 3) b++
    ;(function () { log("iife", b) })()
    do b--
    while (b > 0)
    ;\`t\`.length
    const f = () => b
    const g = function () { return f }
    for (;;) break
    /re/.test("re") && log("regex")
    const h = async () => {}
    if (a) for (const y of [1]) log(y); else log("no")
    +a; log(f(), g()())
    const last = x => x
    for (const z of [last(1)]) log(z)`,
  directives: `
    function strict() { "use strict"; "another"
      return this === undefined }
    function bare() { "use strict" } log(strict(), bare());
    const arrow = () => { 'use strict'; for (;;) return 1 }; log(arrow());`,
  "this, arguments, super and new.target": `
    function f() { for (const x of arguments) log(x); return (() => arguments.length)() } log(f(1, 2));
    function N() { return new.target === N } log(new N() instanceof N);
    const base = { m() { return "base" } }; const o = { __proto__: base, m() { return (() => super.m())() + "!" } }; log(o.m());
    const t = { v: 1, f() { return [1].map((x) => x + this.v) } }; log(t.f());`,
  "types, enums, namespaces and overloads": `
    enum Color { Red = 1, Green } namespace Space { export const two = 2; export function three(): number { for (;;) return 3 } }
    function over(a: string): string; function over(a: number): number; function over(a: any) { return a }
    abstract class Shape { abstract area(): number; declare kind: string; constructor(protected readonly side: number) {} describe?(): void; m(this: Shape): number { return this.side } }
    class Square extends Shape { override area(): number { return this.side ** 2 } constructor(n: number) { super(n) } }
    interface I<T> { f(x: T): void } type F = <T>(x: T) => T; const id: F = <T,>(x: T): T => x; const sat = (x => x) satisfies F;
    declare function nowhere(): void; declare module "x" { export function y(): void }
    log(Color.Green, Space.two, Space.three(), over("a"), over(1), new Square(3).area(), new Square(2).m(), id(1)!, sat(2), <number>id(5));`,
  decorators: `
    const seen = []; const mark = (v, { name }) => { seen.push(name); return v }; class D { @mark m() { return 1 } @((v, c) => { for (;;) { seen.push(c.kind); return v } }) n() {} } log(new D().m(), seen);`,
  "hoisting and functions in blocks": `
    log(hoisted()); function hoisted() { while (true) return "up" }
    { function inner() { return "in" } log(inner()) }
    for (let i = 0; i < 1; i++) { function inLoop() { return i } log(inLoop()) }`,
  "errors reach who called": `
    const f = () => { for (const x of [1]) throw new TypeError("inside") };
    try { f() } catch (e) { log(e.name, e.message) }
    const g = (x) => x.a.b; try { g({}) } catch (e) { log(e.name) }
    throw new RangeError("top")`,
  "a name that looks like the guard's": `
    const __bucle = 1, __bucle_a0 = 2; for (const x of [__bucle]) log(x, __bucle_a0);`,
  "imports worked out at run time": `
    const name = "node:path"; const { sep } = await import(name); log(typeof sep);
    const { posix } = await import(\`node:\${"path"}\`); log(posix.sep); const parts = (await import(("node:" + "url"), {})).URL; log(typeof parts);
    await import("./" + "nowhere").catch((e) => log(e.name)); const require = (x) => x; log(require(name), require("a" + name), require(...[name]));`,
  "odd texts": `
    log("ñandú 😀", \`\${(() => "á")()} 😀\`); /* ñ 😀 */ for (const s of "😀ñ") log(s);
    const \u00e9t\u00e9 = (\u00f1) => \u00f1; log(\u00e9t\u00e9(1)); log("\u2028".length); log(((x) => { return x })(1))`,
};

for (const [what, program] of Object.entries(PROGRAMS)) {
  test(`does not change what a program does: ${what}`, async () => {
    const original = await logOf(program);
    const { code } = await woven(program);
    expect(await logOf(code)).toEqual(original);
    expect(original.join()).not.toMatch(/threw (Syntax|Reference)Error/);
    expect(original.length).toBeGreaterThan(0);
    expect(code.split("\n")).toHaveLength(program.split("\n").length);
    // Woven twice it still parses and runs: no insert leans on what the first one happened to find.
    expect(await logOf((await woven(code)).code)).toEqual(original);
  });
}

test("does not change what a program does: line ends of Windows and old Macs", async () => {
  const program =
    'for (const x of [1])\r\n  log(x)\r\nconst f = () => 2\rlog(f())\r\nif (f())\r\n  while (true) { log("w"); break }\r\n';
  expect(await logOf((await woven(program)).code)).toEqual(await logOf(program));
});

/** Programs of nested control flow that end by themselves: every loop has fuel of its own. */
const statement = fc.letrec<{ statement: string; block: string; loop: string }>((tie) => ({
  statement: fc.oneof(
    { depthSize: "medium" },
    fc.constantFrom(
      'log("s");',
      "log(n)\n",
      "n++;",
      ";",
      "log((() => n)())\n",
      "log((() => ({ n }))());",
      "void ((x) => (y) => x + y)(n)(1);",
    ),
    fc.constantFrom(
      "if (n % 3 === 0) break;",
      "if (n % 2) continue;",
      "if (n > 9) break L;",
      "if (n % 5 === 1) continue L;",
    ),
    tie("block"),
    tie("loop"),
    fc.tuple(tie("statement"), tie("statement")).map(([a, b]) => `if (n++ % 2) ${a} else ${b}`),
    fc.tuple(tie("block"), tie("block")).map(([a, b]) => `try ${a} finally ${b}`),
    tie("statement").map((a) => `switch (n++ % 3) { case 0: ${a} case 1: log("c1"); break; default: ${a} }`),
    tie("block").map((b) => `L: do ${b} while (fuel-- > 0 && n++ % 4)\n`),
  ),
  block: fc.array(tie("statement"), { minLength: 1, maxLength: 4 }).map((all) => `{ ${all.join(" ")} }`),
  loop: fc.tuple(fc.nat(4), tie("statement")).map(([kind, body]) => {
    const heads = [
      "L: while (fuel-- > 0)",
      "L: for (let i = 0; i < 3 && fuel-- > 0; i++)",
      "L: for (const k in { a: 1, b: 2 })",
      "L: M: for (const v of [1, 2])",
    ];
    return kind < heads.length ? `${heads[kind]} ${body}` : `L: do ${body} while (fuel-- > 0 && n % 3)\n`;
  }),
})).block;

test("does not change what generated control flow does", async () => {
  const programs = fc
    .sample(statement, { numRuns: 120, seed: 7 })
    .map((block) => `L: for (let once = 0, n = 0, fuel = 40; once < 1; once++) { ${block} log("end", n, fuel) }`);
  // A label inside a label of the same name is no program: number them, and let jumps go to the outermost.
  const unique = programs.map((program) => {
    let count = 0;
    return program.replace(/([LM]): /g, (_, label) => (count++ === 0 ? "L: " : `${label}${count}: `));
  });
  const together = (sources: string[]) =>
    sources.map((source, index) => `await (async () => { log(${index}); ${source}\n})();\n`).join("");
  const original = await logOf(together(unique));
  expect(original.length).toBeGreaterThan(1000);
  expect(original.at(-1)).not.toContain("threw");
  expect(await logOf((await woven(together(unique))).code)).toEqual(original);
});

test("asks at every pass of a loop with the count at the start of that activation", async () => {
  const outer = "let i = 0; while (i++ < 2) { for (const x of [1, 2]) { x } }";
  expect(await questionsOf(outer)).toEqual([
    [0, 0],
    [1, 1],
    [1, 1],
    [0, 0],
    [1, 4],
    [1, 4],
  ]);
});

test("asks at every call of a function with -1, whatever kind of function it is", async () => {
  const source = `function a() {} const b = () => 1; const c = async () => {}; const o = { m() {}, get g() { return 1 } };
    class C { constructor() {} static s() {} f = function () {} } a(); b(); await c(); o.m(); o.g; new C().f(); C.s();`;
  const questions = await questionsOf(source);
  expect(questions.map(([site]) => site).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(questions.every(([, since]) => since === -1)).toBe(true);
});

test("counts passes that continue, and bodies without braces", async () => {
  expect((await questionsOf("for (let i = 0; i < 5; i++) { if (i) continue; }")).length).toBe(5);
  expect((await questionsOf("let n = 0; while (n++ < 4);")).length).toBe(4);
  expect((await questionsOf("let n = 0; do n++; while (n < 4)")).length).toBe(4);
});

test("numbers the sites from the id it was given and says where each stands", async () => {
  const source =
    "label: for (;;) {\n  break;\n}\nclass A {\n  async method() { while (0); }\n}\nexport default async function () {}\nconst f = (x) => x;";
  const { sites, code } = await woven(source, "lib/a.ts", 7);
  expect(sites).toEqual([
    { kind: "loop", spot: { file: "lib/a.ts", line: 1, column: 8 } },
    { kind: "function", spot: { file: "lib/a.ts", line: 5, column: 3 } },
    { kind: "loop", spot: { file: "lib/a.ts", line: 5, column: 20 } },
    { kind: "function", spot: { file: "lib/a.ts", line: 7, column: 16 } },
    { kind: "function", spot: { file: "lib/a.ts", line: 8, column: 11 } },
  ]);
  for (const id of [7, 8, 9, 10, 11]) expect(code).toContain(`(${id},`);
});

test("leaves signatures, overloads and declarations alone", async () => {
  const source =
    "declare function f(): void; abstract class A { abstract m(): void; o(x: 1): void; o() {} } interface I { f(): void }";
  expect((await woven(source)).sites).toHaveLength(1);
  expect((await woven("export const x: number = 1;")).code).toBe("export const x: number = 1;");
});

test("finds every offset of the source again in the woven code", async () => {
  const source =
    '#!/usr/bin/env node\n"use strict"\nconst f = (a) => a; for (const é of [f(1)]) f(é)\r\nwhile (0) f(import(f(2)));\u2028f("😀"); do f(3); while (0)';
  const { code, original } = await woven(source);
  expect(code.startsWith('#!/usr/bin/env node\n"use strict";import{')).toBe(true);
  const marks = [...source.matchAll(/f\(/g)].map(({ index }) => index);
  const wovenMarks = [...code.matchAll(/\bf\(/g)].map(({ index }) => index);
  expect(wovenMarks).toHaveLength(marks.length);
  // Lines as the bundler and V8 count them, positions as an editor does.
  const places = wovenMarks.map((mark) => {
    const lines = code.slice(0, mark).split(/\r\n|[\n\r\u2028\u2029]/);
    return original({ line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 });
  });
  const expected = marks.map((mark) => {
    const lines = source.slice(0, mark).split(/\r\n|\n|\r/);
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  });
  expect(places).toEqual(expected);
});

test("keeps a hashbang first", async () => {
  expect((await woven("#!/usr/bin/env node\r\nfor (;;) break")).code).toMatch(
    /^#!\/usr\/bin\/env node\r\nimport\{guard as __bucle\}from"#guard";\{const/,
  );
});

test("hides computed imports from the bundler and leaves written ones", async () => {
  const { code, imports } = await woven(
    'import a from "./a"; export * from "./b"; export { c } from "./c"; import d = require("./d"); import("./e"); import(`./f`); import(("./g")); require("./h");' +
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a program's
      "import(`./${a}.js`); import('./' + a); import(a as string); (require as any)('./' + a); require?.(`${a}`); require!(a); (require)(a + '.json'); require.resolve('x' + a); import(a ? './i' : './j'); require()",
  );
  expect(imports).toEqual(["./a", "./b", "./c", "./d", "./e", "./f", "./g", "./h"]);
  expect(code.match(/\(\(0,/g)).toHaveLength(9);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a program's
  expect(code).toContain("import((0,`./${a}.js`))");
});

test("takes the sting out of source map comments and of no string", async () => {
  const source =
    'const s = "//# sourceMappingURL=kept"; //# sourceMappingURL=../secret.json\n/*# sourceURL=x */ //@ sourceMappingURL=y';
  const { code } = await woven(source);
  expect(code).toBe(
    'const s = "//# sourceMappingURL=kept"; //# sourceMappingUR_=../secret.json\n/*# sourceUR_=x */ //@ sourceMappingUR_=y',
  );
});

test("tells CommonJS only where there is no module", async () => {
  expect((await woven("let x;\n  module.exports = x", "a.js")).commonJs).toEqual({ file: "a.js", line: 2, column: 3 });
  expect((await woven("exports.f = 1", "a.js")).commonJs).not.toBeNull();
  expect((await woven("export const exports = {}; exports.f = 1", "a.js")).commonJs).toBeNull();
});
