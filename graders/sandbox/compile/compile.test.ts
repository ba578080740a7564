import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { Text } from "../../trace/text.ts";
import type { Submission } from "../intake.ts";
import { SOURCE_URL } from "../source-url.ts";
import { compile, warmUp } from "./compile.ts";
import { rewriteFrames, spotsOf } from "./frames.ts";
import type { Program, Refusal } from "./program.ts";

const folder = mkdtempSync(join(tmpdir(), "bucle-compile-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Stands in for the child's runtime. */
const runtime = join(folder, "runtime.mjs");
writeFileSync(
  runtime,
  `export const guard = { h: 0, n: Infinity, c: () => Infinity };
   export const callModel = () => ({ stop_reason: "end_turn" });
   export const executeTool = () => {};
   export default class Anthropic {}
   export class APIError extends Error {}`,
);
const runtimeUrl = pathToFileURL(runtime).href;

function submit(files: Record<string, string>, refused: { name: string; why: Text }[] = []): Submission {
  const [entry = ""] = Object.keys(files);
  return { entry, files: Object.entries(files).map(([name, text]) => ({ name, text })), refused };
}

async function compiled(files: Record<string, string>, options = {}): Promise<Program> {
  const result = await compile(submit(files), { runtimeUrl, ...options });
  if (!result.ok) throw new Error(JSON.stringify(result.refusal));
  return result.value;
}

async function refusal(
  files: Record<string, string>,
  refused: { name: string; why: Text }[] = [],
  options = {},
): Promise<Refusal> {
  const result = await compile(submit(files, refused), { runtimeUrl, ...options });
  if (result.ok) throw new Error(`compiled: ${result.value.code}`);
  return result.refusal;
}

let runs = 0;

/** Imports the module as the child does. */
async function load(program: Program): Promise<Record<string, unknown>> {
  runs += 1;
  const source = Buffer.from(`${program.code}\n//${runs}`).toString("base64");
  return (await import(/* @vite-ignore */ `data:text/javascript;base64,${source}`)) as Record<string, unknown>;
}

async function call(files: Record<string, string>, ...args: unknown[]): Promise<unknown> {
  const module = await load(await compiled(files));
  return (module.runAgent as (...values: unknown[]) => unknown)(...args);
}

async function thrownBy(program: Program, ...args: unknown[]): Promise<Error> {
  const { runAgent } = await load(program);
  try {
    await (runAgent as (...values: unknown[]) => unknown)(...args);
  } catch (error) {
    return error as Error;
  }
  throw new Error("did not throw");
}

const AGENT = `import Anthropic from "@anthropic-ai/sdk";
import { callModel, type Message, type Tool } from "#harness";
import type { Loose } from "./types.ts";
import { fail } from "./lib/fail.js";

interface Options {
  readonly cap: number;
}
type Reply = Message | null;
export enum Mode { Fast, Slow }

/** ñandú 😀: a comment that is wider in bytes than in characters. */
export async function runAgent(userInput: string, tools: Tool[]): Promise<Reply> {
  for (const tool of tools) {
    while (true) {
      if (userInput === "helper") return fail<Reply>(userInput);
      if (userInput === "¿qué?") { const ñ = "😀"; throw new Error(\`here \${ñ}\`); }
      if (userInput === "call") { (undefined as unknown as Loose).method(); }
      break;
    }
  }
  return callModel({ messages: [] });
}
`;
const FILES = {
  "agent.ts": AGENT,
  "types.ts": "export type Loose = { method(): void };",
  "lib/fail.ts":
    "export function fail<T>(\n  what: string,\n): T {\n  do throw new TypeError(what); while (true);\n}\n",
};

test("puts a thrown error on the very line and column of the student's file", async () => {
  const program = await compiled(FILES);
  const error = await thrownBy(program, "¿qué?", ["tool"]);
  const line = AGENT.split("\n")[16] ?? "";
  expect(spotsOf(error.stack ?? "", program)[0]).toEqual({
    file: "agent.ts",
    line: 17,
    column: line.indexOf("new Error") + 1,
  });
  expect(rewriteFrames(error.stack ?? "", program)).toContain(`agent.ts:17:${line.indexOf("new Error") + 1}`);
});

test("names the helper's line first and the caller's after it", async () => {
  const program = await compiled(FILES);
  const error = await thrownBy(program, "helper", ["tool"]);
  expect(spotsOf(error.stack ?? "", program)).toEqual([
    { file: "lib/fail.ts", line: 4, column: 12 },
    { file: "agent.ts", line: 16, column: (AGENT.split("\n")[15] ?? "").indexOf("fail<") + 1 },
  ]);
});

test("points at the member that V8 blames in a call", async () => {
  const program = await compiled(FILES);
  const error = await thrownBy(program, "call", ["tool"]);
  expect(spotsOf(error.stack ?? "", program)[0]).toEqual({
    file: "agent.ts",
    line: 18,
    column: (AGENT.split("\n")[17] ?? "").indexOf("method") + 1,
  });
});

test("keeps every line of a crowded program", async () => {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `  if (n === ${i}) { for (const x of [${i}]) { const f = () => { throw new Error("e"); }; f(); } }`,
  );
  const program = await compiled({ "agent.ts": `export function runAgent(n: number) {\n${lines.join("\n")}\n}` });
  for (const n of [0, 13, 39]) {
    const error = await thrownBy(program, n);
    const line = lines[n] ?? "";
    expect(spotsOf(error.stack ?? "", program).slice(0, 2)).toEqual([
      { file: "agent.ts", line: n + 2, column: line.indexOf("new Error") + 1 },
      { file: "agent.ts", line: n + 2, column: line.indexOf("f();") + 1 },
    ]);
  }
});

test("locates nothing in what is not the student's", async () => {
  const program = await compiled(FILES);
  expect(program.locate(1_000_000, 1)).toBeNull();
  expect(program.locate(0, 0)).toBeNull();
});

test("tells what the module exports, and gives the files with the entry first", async () => {
  const program = await compiled({ ...FILES, "agent.ts": `${AGENT}\nexport default runAgent;` });
  expect([...program.exports].sort()).toEqual(["Mode", "default", "runAgent"]);
  expect(program.source.files.map(({ name }) => name)).toEqual(["agent.ts", "types.ts", "lib/fail.ts"]);
  const module = await load(program);
  expect(module.default).toBe(module.runAgent);
  expect(await (module.runAgent as (...values: unknown[]) => unknown)("", [])).toEqual({ stop_reason: "end_turn" });
});

test("imports nothing but Node's modules and the runtime", async () => {
  const { code } = await compiled({
    "agent.ts":
      'import { callModel } from "#harness"; import A, { APIError } from "@anthropic-ai/sdk"; import fs from "fs"; import { setTimeout } from "node:timers/promises"; export const x = [callModel, A, APIError, fs, setTimeout];',
  });
  const imported = [...code.matchAll(/from "([^"]*)"/g)].map(([, from]) => from);
  expect(new Set(imported)).toEqual(new Set([runtimeUrl, "node:fs", "node:timers/promises"]));
});

test("numbers the sites alike each time, entry first", async () => {
  const programs = await Promise.all([compiled(FILES), compiled(FILES)]);
  expect(programs[0]?.code).toBe(programs[1]?.code);
  expect(programs[0]?.sites.map(({ kind, spot }) => `${kind} ${spot.file}:${spot.line}`)).toEqual([
    "function agent.ts:13",
    "loop agent.ts:14",
    "loop agent.ts:15",
    "function lib/fail.ts:1",
    "loop lib/fail.ts:4",
  ]);
});

test("finds helpers however they are named", async () => {
  const files = {
    "agent.mts": `import { a } from "./a"; import { b } from "./b.js"; import { c } from "./c.mjs"; import { d } from "./d"; import e from "./lib"; import { f } from "./lib/deep/f.ts"; import g from "./lib/data.json" with { type: "json" };
      export const runAgent = async () => [a, b, c, d, e, f, g.n, (await import("./late.js")).late, (await import(\`./a\`)).a];`,
    "a.ts": "export const a = 1;",
    "b.ts": "export const b: number = 2;",
    "c.mts": "export const c = 3;",
    "d/index.js": "export const d = 4;",
    "lib/index.ts": "export default 5;",
    "lib/deep/f.ts": 'import { a } from "../../a.js"; export const f = a + 5;',
    "lib/data.json": '{ "n": 7 }',
    "late.mjs": "export const never = 0;",
    "late.ts": "export const late = await Promise.resolve(8);",
  };
  expect(await call(files)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 1]);
});

test("links files that import each other", async () => {
  const files = {
    "agent.js":
      'import { odd } from "./odd.js"; export const even = (n) => n === 0 || odd(n - 1); export function runAgent(n) { return even(n); }',
    "odd.js": 'import { even } from "./agent.js"; export const odd = (n) => n !== 0 && even(n - 1);',
  };
  expect(await call(files, 10)).toBe(true);
  expect(await call(files, 7)).toBe(false);
});

test("compiles TypeScript that is more than types", async () => {
  const files = {
    "agent.ts": `enum A { One = 1, Two } const enum B { X = "x" } namespace N { export const deep = A.Two; }
      const calls: string[] = []; function mark(v: any, { name }: any) { calls.push(name); return v; }
      class P { constructor(private readonly n: number) {} @mark get() { return this.n; } accessor z = 1; }
      abstract class Q<T> { abstract q(): T; } class R extends Q<number> { override q() { return 3; } }
      using_: for (;;) { break using_; }
      export function runAgent() { return [A[1], B.X, N.deep, new P(5).get(), calls, new R().q(), <any>1, (2 as const) satisfies number]; }`,
  };
  expect(await call(files)).toEqual(["One", "x", 2, 5, ["get"], 3, 1, 2]);
});

test("does not mind imports that are only types", async () => {
  const files = {
    "agent.ts": `import { MessageParam } from "@anthropic-ai/sdk/resources/messages"; import type { Z } from "zod"; import { Broken } from "./broken.ts";
      export function runAgent(x: MessageParam | Z | Broken) { return x; }`,
    "broken.ts": "export interface Broken {",
  };
  expect(await call(files, 1)).toBe(1);
});

test("compiles from the texts alone: no configuration and no package of the student's counts", async () => {
  const files = {
    "agent.ts":
      'import A from "@anthropic-ai/sdk"; import { x } from "./x"; export const runAgent = () => [typeof A, x];',
    "x.ts": 'export const x = "mine";',
    "tsconfig.json":
      '{ "compilerOptions": { "paths": { "./x": ["../secret.ts"], "@anthropic-ai/sdk": ["./shadow.ts"] } } }',
    "package.json": '{ "imports": { "#harness": "./shadow.ts" } }',
    "node_modules/@anthropic-ai/sdk/index.js": "export default 1;",
    "shadow.ts": "export default 1;",
  };
  expect(await call(files)).toEqual(["function", "mine"]);
});

test("gives no file as its source that it has not read to the end", async () => {
  const program = await compiled({
    "agent.ts": 'import type { A } from "./bomb.ts"; export const runAgent = (a: A) => a;',
    "bomb.ts": "!".repeat(60_000),
    "unused.ts": "(".repeat(60_000),
  });
  expect(program.source.files.map(({ name }) => name)).toEqual(["agent.ts"]);
});

// What leads out of the folder

const SECRET = "a sentence that stands in a secret file";
mkdirSync(join(folder, "work", "solutions"), { recursive: true });
writeFileSync(join(folder, "work", "solutions", "agent.js"), `export default "${SECRET}";`);
writeFileSync(
  join(folder, "work", "secret.json"),
  JSON.stringify({ version: 3, sources: [SECRET], sourcesContent: [SECRET], mappings: "AAAA" }),
);

const ESCAPES: Record<string, [specifier: string, headline: RegExp]> = {
  "the folder above": ["../solutions/agent.js", /outside the exercise's folder/],
  "the folder above by a detour": ["./lib/../../solutions/agent.js", /outside the exercise's folder/],
  "the folder itself": ["..", /outside the exercise's folder/],
  "an absolute path": [join(folder, "work", "solutions", "agent.js"), /cannot be imported/],
  "an absolute path of Windows": ["C:\\secret.js", /cannot be imported/],
  "a network path": ["\\\\host\\secret.js", /cannot be imported/],
  "a file URL": [pathToFileURL(join(folder, "work", "solutions", "agent.js")).href, /cannot be imported/],
  "a data URL": ["data:text/javascript,export default 1", /cannot be imported/],
  "the web": ["https://example.com/x.js", /cannot be imported/],
  "the web without encryption": ["http://example.com/x.js", /cannot be imported/],
  "the student's namespace": ["student:agent.ts", /cannot be imported/],
  "an installed package": ["zod", /not available/],
  "the kit's own package": ["bucle", /not available/],
  "a part of the SDK": ["@anthropic-ai/sdk/helpers/beta/zod", /Only `@anthropic-ai\/sdk` itself/],
  "another door": ["#spec", /not available/],
  processes: ["node:child_process", /`node:child_process` is not available/],
  threads: ["worker_threads", /`worker_threads` is not available/],
  "the debugger": ["node:inspector", /not available/],
  "module hooks": ["module", /not available/],
  V8: ["v8", /not available/],
  contexts: ["vm", /not available/],
};

for (const [what, [specifier, headline]] of Object.entries(ESCAPES)) {
  test(`refuses an import of ${what}`, async () => {
    const written = JSON.stringify(specifier);
    for (const source of [
      `import x from ${written};\nx;`,
      `\nexport * from ${written};`,
      `  await import(${written});`,
      `require(${written});`,
    ]) {
      const refused = await refusal({ "agent.ts": source });
      expect(refused.headline.en).toMatch(headline);
      expect(refused.at).toMatchObject({ file: "agent.ts", line: source.startsWith("\n") ? 2 : 1 });
      expect(refused.at?.column).toBe(
        (source.split("\n").find((line) => line.includes(written)) ?? "").indexOf(written) + 1,
      );
      expect(JSON.stringify(refused)).not.toContain(SECRET);
    }
  });
}

test("does not take a pattern of files for an import", async () => {
  const here = process.cwd();
  process.chdir(join(folder, "work"));
  try {
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: programs
    for (const expression of [
      "`./solutions/${x}.js`",
      "'./solutions/' + x + '.js'",
      "`../work/solutions/${x}.js`",
      "`./${x}`",
      "(`./solutions/${x}.js`) as string",
    ]) {
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: programs
      const { code } = await compiled({
        "agent.ts": `export const runAgent = async (x: string) => (await import(${expression})).default;`,
      });
      expect(code).not.toContain(SECRET);
      expect(code).not.toContain("__glob");
      const { code: required } = await compiled({
        "agent.ts": `declare const require: any; export const runAgent = (x: string) => [require(${expression}), (require as any)(${expression}), require!(${expression})];`,
      });
      expect(required).not.toContain(SECRET);
    }
  } finally {
    process.chdir(here);
  }
});

test("follows no source map that a student names", async () => {
  const here = process.cwd();
  process.chdir(join(folder, "work"));
  try {
    for (const comment of [
      "//# sourceMappingURL=./secret.json",
      "/*# sourceMappingURL=secret.json */",
      `//@ sourceMappingURL=${join(folder, "work", "secret.json")}`,
      "//# sourceURL=evil.js",
    ]) {
      const program = await compiled({
        "agent.ts": `export function runAgent() { throw new Error("x"); }\n${comment}\n`,
      });
      expect(program.code).not.toContain(SECRET);
      expect(program.code).not.toMatch(/sourceMappingURL|evil/);
      const error = await thrownBy(program);
      expect(spotsOf(error.stack ?? "", program)[0]).toEqual({ file: "agent.ts", line: 1, column: 36 });
    }
  } finally {
    process.chdir(here);
  }
});

test("names V8's own frames after the submission, even when a string asks for another name", async () => {
  const program = await compiled({
    "agent.ts": "const s = `\n//# sourceURL=evil.js\n`;\nexport function runAgent() {\n  throw new Error(s);\n}\n",
  });
  // In a process of its own: a test runner prints stacks in its own way.
  const script = `const m = await import("data:text/javascript;base64,${Buffer.from(program.code).toString("base64")}"); try { m.runAgent() } catch (e) { console.log(e.stack) }`;
  const stack = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(stack).toMatch(new RegExp(`at Module\\.runAgent \\(${SOURCE_URL}:`));
  expect(spotsOf(stack, program)).toEqual([{ file: "agent.ts", line: 5, column: 9 }]);
  const rewritten = rewriteFrames(stack, program, { studentOnly: true });
  expect(rewritten.split("\n").filter((line) => /^\s+at /.test(line))).toEqual([
    "    at Module.runAgent (agent.ts:5:9)",
  ]);
});

// What a student can mend

test("says where the syntax is broken, in both languages and in its own words", async () => {
  const refused = await refusal({ "agent.ts": "export async function runAgent() {\n  for (;;) {\n    ñ(;\n  }\n}\n" });
  expect(refused.headline).toEqual({
    es: "`agent.ts` tiene un error de sintaxis en la línea 3.",
    en: "`agent.ts` has a syntax error on line 3.",
  });
  expect(refused.at).toEqual({ file: "agent.ts", line: 3, column: 7 });
  expect(refused.detail.es).toContain("`;`");
});

test("points at the last line that says something when the file just ends", async () => {
  const refused = await refusal({ "agent.ts": "export function runAgent() {\n  if (true) {\n}\n\n\n" });
  expect(refused.detail.en).toBe("The file ends and `}` is still missing.");
  expect(refused.at).toEqual({ file: "agent.ts", line: 3, column: 2 });
});

test("has words for the usual slips", async () => {
  const slips: Record<string, RegExp> = {
    "function f() {\n  await g();\n}": /`await` in a function that is not `async`/,
    "return 1;": /`return` outside/,
    "const x;": /needs a value/,
    'const s = "abc': /not closed/,
    "foo(a b)": /expected here, and there is `b`/,
    "1 = 2;": /assigned to `1`/,
    "let a = 1 let b;": /A statement ends here/,
    "let a; let a;": /`a` is declared twice/,
    "const c = 1; c = 2;": /`c` is constant/,
    "break;": /not inside a loop/,
    "export const a = 1; export { a };": /`a` is exported twice/,
    'import { two } from "./b"; two;': /does not export `two`/,
    "delete x;": /JavaScript does not allow/,
  };
  for (const [source, detail] of Object.entries(slips)) {
    const refused = await refusal({ "agent.ts": source, "b.ts": "export const tow = 1;" });
    expect(refused.detail.en, source).toMatch(detail);
    expect(refused.at?.file, source).toBe("agent.ts");
    for (const text of [refused.headline, refused.detail, refused.next]) {
      expect(text.es).not.toBe(text.en);
      expect(`${text.es}${text.en}`).not.toMatch(/student:|esbuild|oxc|node_modules|\*\*/);
    }
    expect(refused.headline.es.length, source).toBeLessThanOrEqual(90);
  }
});

test("counts columns in characters where the bundler counts bytes", async () => {
  const source = 'for (const ñ of ["😀"]) { let a = () => ñ; let b; let b; }';
  expect((await refusal({ "agent.ts": source })).at).toEqual({
    file: "agent.ts",
    line: 1,
    column: source.lastIndexOf("b;") + 1,
  });
});

test("suggests the nearest file, export or name", async () => {
  const helper = { "lib/helper.ts": "export function parseReply() {}" };
  expect((await refusal({ "agent.ts": 'import { x } from "./lib/helpr.ts"; x;', ...helper })).next.en).toBe(
    "Did you mean `./lib/helper.ts`?",
  );
  expect((await refusal({ "agent.ts": 'import { x } from "./lib/helpers"; x;', ...helper })).next.en).toBe(
    "Did you mean `./lib/helper.ts`?",
  );
  expect((await refusal({ "agent.ts": 'import { x } from "lib/helper"; x;', ...helper })).next.en).toBe(
    "Did you mean `./lib/helper.ts`?",
  );
  expect(
    (await refusal({ "agent.ts": 'import { parseRepli } from "./lib/helper"; parseRepli();', ...helper })).next.en,
  ).toBe("Did you mean `parseReply`?");
  expect((await refusal({ "agent.ts": 'import { x } from "#harnes"; x;' })).next.en).toBe("Did you mean `#harness`?");
  expect((await refusal({ "agent.ts": 'import { x } from "./nothing-like-it"; x;' })).next.en).toMatch(
    /^Create the file/,
  );
});

test("knows what the harness exports when it is told", async () => {
  const harness = ["callModel", "executeTool"];
  const agent = 'import { Message, callmodel } from "#harness"; export const runAgent = (m: Message) => callmodel(m);';
  const refused = await refusal({ "agent.ts": agent }, [], { harness });
  expect(refused.detail.en).toBe("The imported module does not export `callmodel`.");
  expect(refused.next.en).toBe("Did you mean `callModel`?");
  const right = await compiled({ "agent.ts": agent.replaceAll("callmodel", "callModel") }, { harness });
  expect(await ((await load(right)).runAgent as () => unknown)()).toEqual({ stop_reason: "end_turn" });
});

test("serves further packages only when they are allowed", async () => {
  const files = { "agent.ts": 'import z from "zod"; export const runAgent = () => typeof z;' };
  expect((await refusal(files)).headline.en).toBe("`zod` is not available in an exercise.");
  const program = await compiled(files, { allow: { zod: "data:text/javascript,export default 1" } });
  expect(await ((await load(program)).runAgent as () => unknown)()).toBe("number");
});

test("says why a file that was refused at intake cannot be imported", async () => {
  const why = { es: "Es un enlace simbólico.", en: "It is a symbolic link." };
  const refused = await refusal({ "agent.ts": '\nimport { x } from "./lib/x.js"; x;' }, [{ name: "lib/x.ts", why }]);
  expect(refused).toMatchObject({
    headline: { en: "The file `lib/x.ts` cannot be used." },
    detail: why,
    at: { file: "agent.ts", line: 2, column: 19 },
  });
  const below = await refusal({ "agent.ts": 'import { x } from "./lib/x.js"; x;' }, [{ name: "lib", why }]);
  expect(below.headline.en).toBe("The file `lib` cannot be used.");
  expect((await compile(submit({ "agent.ts": "export {};" }, [{ name: "lib/x.ts", why }]), { runtimeUrl })).ok).toBe(
    true,
  );
});

test("reports the entry's fault before a helper's, and a helper's where it is", async () => {
  const helper = { "h.ts": "let a;\nlet a; export const x = 1;" };
  expect((await refusal({ "agent.ts": 'import { x } from "./h"; x; import "nope";', ...helper })).headline.en).toMatch(
    /`nope`/,
  );
  expect((await refusal({ "agent.ts": 'import { x } from "./h"; x;', ...helper })).at).toEqual({
    file: "h.ts",
    line: 2,
    column: 5,
  });
  expect((await refusal({ "agent.ts": 'import { x } from "./h"; x;', "h.ts": "export const x = ;" })).at).toEqual({
    file: "h.ts",
    line: 1,
    column: 18,
  });
});

test("refuses JSON that is none, and CommonJS", async () => {
  expect((await refusal({ "agent.ts": 'import x from "./x.json"; x;', "x.json": "{ a: 1 }" })).headline.en).toBe(
    "`x.json` is not valid JSON.",
  );
  expect((await refusal({ "agent.js": "function f() {}\nmodule.exports = { f };" })).at).toEqual({
    file: "agent.js",
    line: 2,
    column: 1,
  });
  expect((await refusal({ "agent.js": 'const { callModel } = require("#harness");' })).headline.en).toMatch(
    /^`require` cannot load/,
  );
});

test("quotes no control character and nothing endless", async () => {
  const refused = await refusal({ "agent.ts": `import "\\u001b[2J\\u202e${"x".repeat(5000)}";` });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(refused.headline.en).not.toMatch(/[\u0000-\u001f\u202e]/);
  expect(refused.headline.en.length).toBeLessThanOrEqual(90);
});

// What is made to break the compiler

const KB64 = 64 * 1024;
const BOMBS: Record<string, string> = {
  "64 KB of exclamation marks": "!".repeat(KB64),
  "64 KB of open parentheses": "(".repeat(KB64),
  "nested parentheses": `${"(".repeat(KB64 / 2)}1${")".repeat(KB64 / 2)}`.slice(0, KB64),
  "nesting that costs memory by the square": `${"(x=[".repeat(9000)}a${"])".repeat(9000)}`,
  "nested types": `type A = ${"[".repeat(20_000)}${"]".repeat(20_000)};`,
  "nested templates": `${"`${".repeat(10_000)}1${"}`".repeat(10_000)}`,
  "a chain of operators": `x = 1${" + 1".repeat(16_000)}`,
  "shallow enough to be parsed here": `${"!".repeat(2400)}1`,
};

for (const [what, bomb] of Object.entries(BOMBS)) {
  test(`survives ${what}`, async () => {
    const refused = await refusal({ "agent.ts": bomb });
    expect(refused.headline.en).toMatch(/nests too deep|syntax error/);
    expect(refused.headline.en.length).toBeLessThanOrEqual(90);
    expect(await call({ "agent.ts": "export const runAgent = () => 1;" })).toBe(1);
  });
}

test("compiles a long and honest file", async () => {
  const lines = Array.from(
    { length: 1200 },
    (_, i) => `export function f${i}(n: number) { for (let i = 0; i < n; i++) { n--; } return n; }`,
  );
  const source = `${lines.slice(0, 700).join("\n")}\nexport function runAgent() { throw new Error("end"); }`;
  const program = await compiled({ "agent.ts": source });
  expect(program.sites).toHaveLength(1401);
  expect(spotsOf((await thrownBy(program)).stack ?? "", program)[0]).toEqual({
    file: "agent.ts",
    line: 701,
    column: 36,
  });
});

test("loads the heavy tools only when something is compiled", () => {
  for (const file of ["compile.ts", "bundler.ts", "parse.ts", "guard.ts", "resolve.ts", "frames.ts"]) {
    expect(readFileSync(join(import.meta.dirname, file), "utf8")).not.toMatch(
      /^import (?!type\b).*"(esbuild|oxc-parser)"/m,
    );
  }
  expect(warmUp()).toBeUndefined();
});
