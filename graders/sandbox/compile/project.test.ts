import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { compileProject } from "./project.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "proyecto ñ ")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

// Stands in for the child's runtime, which cannot be loaded twice in one process.
write({
  "runtime.mjs": `
    export const guard = { h: 0, n: Infinity, c: () => Infinity };
    export const callModel = "the runtime's callModel";
    export default "the runtime's SDK";
    export const markSdkOf = (load) => globalThis.marked?.push(load().where);
    export const packagesLoaded = () => globalThis.before?.push("packages are loaded");
    export const standIns = (real) => Object.fromEntries(Object.keys(real).map((key) => [key, "stand-in for " + key]));
  `,
  "package.json": '{ "type": "module" }',
  "tsconfig.json": '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }',
  "lib/words.ts": "export const word: string = 'by the tsconfig';",
  "node_modules/esm-package/package.json": '{ "name": "esm-package", "type": "module", "exports": "./index.js" }',
  "node_modules/esm-package/index.js": "export const where = import.meta.url;",
  "node_modules/old-package/package.json": '{ "name": "old-package", "main": "index.js" }',
  "node_modules/old-package/index.js": "module.exports = { old: __filename };",
  "node_modules/on-the-sdk/package.json": `{ "name": "on-the-sdk", "type": "module", "exports": "./index.js", "dependencies": { "@anthropic-ai/sdk": "1" } }`,
  "node_modules/on-the-sdk/index.js": "globalThis.before?.push('a package'); export const fine = true;",
  "node_modules/on-the-sdk/node_modules/@anthropic-ai/sdk/package.json":
    '{ "name": "@anthropic-ai/sdk", "exports": { "import": "./index.mjs", "require": "./index.js" } }',
  "node_modules/on-the-sdk/node_modules/@anthropic-ai/sdk/index.mjs": "export const where = 'a copy of a package';",
  "with-sdk/node_modules/@anthropic-ai/sdk/package.json":
    '{ "name": "@anthropic-ai/sdk", "exports": { "import": "./index.mjs", "require": "./index.js" } }',
  "with-sdk/node_modules/@anthropic-ai/sdk/index.mjs": "export const where = 'its own copy'; export default class {}",
  "with-sdk/node_modules/@anthropic-ai/sdk/index.js": "module.exports = { where: 'its own copy, required' };",
});

const compiled = async (name: string, text: string, more: { stub?: string } = {}) => {
  write({ [name]: text });
  const stub = more.stub === undefined ? {} : { stub: join(root, more.stub) };
  return compileProject(join(root, name), { runtimeUrl: pathToFileURL(join(root, "runtime.mjs")).href, root, ...stub });
};

async function load(name: string, text: string, more: { stub?: string } = {}): Promise<Record<string, unknown>> {
  const result = await compiled(name, text, more);
  if (!result.ok) throw new Error(result.refusal.detail.en);
  return import(`data:text/javascript;base64,${Buffer.from(result.value.code).toString("base64")}`);
}

test("a project's own paths, packages of both kinds and its own place are as they are at home", async () => {
  const module = await load(
    "src/agent.ts",
    `import { word } from "@lib/words.ts";
     import { where } from "esm-package";
     import old from "old-package";
     import { readFileSync } from "node:fs";
     export const all = { word, where, old, here: import.meta.url, folder: import.meta.dirname, reads: readFileSync(new URL("../package.json", import.meta.url), "utf8") };`,
  );
  expect(module.all).toEqual({
    word: "by the tsconfig",
    where: pathToFileURL(join(root, "node_modules/esm-package/index.js")).href,
    old: { old: join(root, "node_modules/old-package/index.js") },
    here: pathToFileURL(join(root, "src/agent.ts")).href,
    folder: join(root, "src"),
    reads: '{ "type": "module" }',
  });
});

test("CommonJS requires from where it stands", async () => {
  const module = await load(
    "src/common.cjs",
    `const { old } = require("old-package"); exports.runAgent = () => [old, __filename];`,
  );
  const { runAgent } = (module.default ?? module) as { runAgent(): string[] };
  expect(runAgent()).toEqual([join(root, "node_modules/old-package/index.js"), join(root, "src/common.cjs")]);
});

test.each([
  ["module.exports = { ask, 'b': 1, other: ask };", ["ask", "other"]],
  ["exports.ask = ask; module.exports.more = ask; if (exports.ask === 1) ask();", ["ask", "more"]],
  ["module.exports = ask;", ["default"]],
])("the names of CommonJS exports are told: %s", async (text, exports) => {
  expect(await compiled("src/names.cjs", `const ask = () => {}; ${text}`)).toMatchObject({ value: { exports } });
});

test("the harness is the runtime's, and so is the SDK where the project has none", async () => {
  const result = await compiled(
    "src/harness.ts",
    `import { callModel } from "#harness"; import SDK from "@anthropic-ai/sdk"; export const runAgent = () => [callModel, SDK];`,
  );
  expect(result).toMatchObject({ ok: true, value: { usesHarness: true, exports: ["runAgent"] } });
  const module = await load(
    "src/harness.ts",
    `export { callModel } from "#harness"; export { default as SDK } from "@anthropic-ai/sdk";`,
  );
  expect(module).toMatchObject({ callModel: "the runtime's callModel", SDK: "the runtime's SDK" });
});

test("every copy of the SDK that it reaches is marked, its own and those of packages, before its first line", async () => {
  const before: string[] = [];
  const marked: string[] = [];
  Object.assign(globalThis, { before, marked });
  await load("src/none.ts", `import "esm-package"; export const runAgent = () => {};`);
  await load(
    "src/both.ts",
    `import "on-the-sdk"; globalThis.before.push("its own line"); export const runAgent = () => {};`,
  );
  await load("with-sdk/agent.ts", `import SDK from "@anthropic-ai/sdk"; export const runAgent = () => SDK;`);
  await load("with-sdk/old.cjs", `exports.runAgent = () => require("@anthropic-ai/sdk");`);
  expect(marked).toEqual(["a copy of a package", "its own copy", "its own copy, required"]);
  expect(before.slice(0, 4)).toEqual(["packages are loaded", "a package", "packages are loaded", "its own line"]);
});

test("a module to be stubbed that it does not import is told", async () => {
  write({ "src/unused.ts": "export const get_weather = () => 'real';" });
  const text = "export const runAgent = () => {};";
  expect(await compiled("src/no-tools.ts", text, { stub: "src/unused.ts" })).toMatchObject({
    value: { stubbed: false },
  });
});

test.each(["src/loop.ts", "src ñandú/ágil #1 50%.ts"])(
  "its own files are woven and its lines are told; packages are left alone: %j",
  async (name) => {
    const text = `import { where } from "esm-package";\nexport async function runAgent() {\n  while (where === "") {\n    await null;\n  }\n}\n`;
    const result = await compiled(name, text);
    if (!result.ok) throw new Error("refused");
    const { sites, code, locate, source, packages } = result.value;
    expect(sites.map(({ kind, spot }) => [kind, spot.file, spot.line])).toEqual([
      ["function", name, 2],
      ["loop", name, 3],
    ]);
    const lines = code.split("\n");
    const line = lines.findIndex((each) => each.includes("await null"));
    expect(locate(line + 1, lines[line]!.indexOf("await null") + 1)).toMatchObject({ file: name, line: 4 });
    expect(source.files[0]).toEqual({ name: name, text });
    expect(packages).toEqual(["esm-package"]);
  },
);

test("JSX, which the guard's parser is not asked to read, compiles all the same", async () => {
  const module = await load(
    "src/view.tsx",
    "/** @jsx h */\nconst h = (name: string) => name;\nexport const runAgent = () => <answer />;",
  );
  expect((module.runAgent as () => string)()).toBe("answer");
});

test("a stubbed module keeps its exports, and every one of them is a stand-in, wherever it is imported from", async () => {
  write({
    "src/tools.ts": "export const get_weather = () => 'real'; export default function search() { return 'real'; }",
    "src/again.ts": 'export { get_weather as again } from "./tools.ts";',
  });
  const module = await load(
    "src/stubbed.ts",
    `import search, { get_weather } from "./tools.ts"; import { again } from "./again.ts"; export const all = [search, get_weather, again];`,
    { stub: "src/tools.ts" },
  );
  expect(module.all).toEqual(["stand-in for default", "stand-in for get_weather", "stand-in for get_weather"]);
});

const COMMONJS = "module.exports = { get_weather: () => 'real', search: () => 'real' };";
test.each([
  [
    "required",
    "src/tools.cjs",
    COMMONJS,
    "src/requires.cjs",
    'const { search, get_weather } = require("./tools.cjs");',
  ],
  [
    "ES, required",
    "src/tools.mjs",
    "export const get_weather = () => 'real'; export const search = () => 'real';",
    "src/requires.cjs",
    'const { search, get_weather } = require("./tools.mjs");',
  ],
  ["imported", "src/tools.cjs", COMMONJS, "src/imports.mjs", 'import { search, get_weather } from "./tools.cjs";'],
  [
    "imported whole",
    "src/tools.cjs",
    COMMONJS,
    "src/imports.mjs",
    'import tools from "./tools.cjs"; const { search, get_weather } = tools;',
  ],
])("a stubbed module of CommonJS: %s", async (_what, tools, text, name, imports) => {
  write({ [tools]: text });
  const exported = name.endsWith(".cjs") ? "exports.all =" : "export const all =";
  const module = await load(name, `${imports}\n${exported} [search, get_weather];`, { stub: tools });
  const { all } = (module.all ? module : module.default) as { all: unknown };
  expect(all).toEqual(["stand-in for search", "stand-in for get_weather"]);
});

test.each([
  ["a package that is not installed", 'import "no-such-package";', /no-such-package"\.$/, /dependencies installed/],
  ["a syntax error", "export const runAgent = (;", /^src\/broken\.ts:1.*\.$/, /^Mend it/],
])("%s is told with its place and its next step", async (_what, text, detail, next) => {
  const result = await compiled("src/broken.ts", text);
  expect(result.ok).toBe(false);
  if (result.ok) return;
  expect(result.refusal.detail.en).toMatch(detail);
  expect(result.refusal.next.en).toMatch(next);
});
