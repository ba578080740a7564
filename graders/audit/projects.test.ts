/** Loops as they stand in projects: what is said of one that cannot be audited as it is, and that the others can. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { twoTurns } from "../sandbox/testing/lab.ts";
import { LANGS } from "../trace/text.ts";
import { type Audited, audit } from "./audit.ts";
import { openFile } from "./subject.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "bucle projects ñ ")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

write("package.json", '{ "private": true }');
write("tsconfig.json", '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }');
write("src/prompt.md", "Be brief.");
mkdirSync(join(root, "node_modules/@anthropic-ai"), { recursive: true });
// The project's own copy: another than the one in the runtime.
symlinkSync(resolve("node_modules/@anthropic-ai/sdk"), join(root, "node_modules/@anthropic-ai/sdk"), "junction");

const IMPORT = `import Anthropic from "@anthropic-ai/sdk";\nconst client = new Anthropic();\n`;
const CREATE = `client.messages.create({ model: "claude-sonnet-5-5", max_tokens: 99, messages: [{ role: "user", content: prompt }] })`;
const TOOL = `{ name: "count_words", description: "Counts words.", input_schema: { type: "object", properties: {} } }`;
/** A loop with a tool of its own, run by \`run(name)\`. */
const WITH_TOOL = `
export async function runAgent(prompt: string) {
  const messages: any[] = [{ role: "user", content: prompt }];
  for (;;) {
    const reply = await client.messages.create({ model: "claude-sonnet-5-5", max_tokens: 99, messages, tools: [${TOOL}] as any });
    if (reply.stop_reason !== "tool_use") return reply;
    messages.push({ role: "assistant", content: reply.content });
    const asked = reply.content.filter((block) => block.type === "tool_use");
    const answer = async ({ id, name }: any) => ({ type: "tool_result", tool_use_id: id, content: String(await run(name)) });
    messages.push({ role: "user", content: await Promise.all(asked.map(answer)) });
  }
}`;

interface More {
  exportName?: string;
  stubTools?: string;
  allowTools?: string[];
}

async function audited(
  name: string,
  text: string,
  { allowTools = [], stubTools, exportName }: More = {},
): Promise<Audited> {
  write(name, text);
  const stub = stubTools && join(root, stubTools);
  const opened = await openFile(join(root, name), {
    runtime: inject("runtime"),
    sandboxed: false,
    stubTools: stub,
    exportName,
  });
  if (!opened.ok) return { ok: false, why: opened.why, tools: { kind: "none", list: [] } };
  const settings = { ignore: {}, inputs: {}, allowTools, leaveTools: [], maxCalls: 40 };
  try {
    return await audit({ ...opened.value, kit: "test", seed: "projects", lang: "en", settings });
  } finally {
    await opened.value.stage.close();
  }
}

async function report(name: string, text: string, more?: More) {
  const made = await audited(name, text, more);
  if (!made.ok) throw new Error(made.why.en);
  const row = (id: string) => made.report.behaviours.find((each) => each.id === id);
  return { ...made.report, row, fails: made.report.behaviours.filter(({ status }) => status === "fails") };
}

test("CommonJS, with its own SDK, a file it reads and much that it prints: failures name lines", async () => {
  const { row, fails } = await report(
    "src/agent.cjs",
    `const { Anthropic } = require("@anthropic-ai/sdk");
const system = require("fs").readFileSync(require("path").join(__dirname, "prompt.md"), "utf8");
const client = new Anthropic();
async function ask(content) {
  for (let i = 0; i < 3000; i++) console.log(i, "x".repeat(100));
  const messages = [{ role: "user", content }];
  const reply = await client.messages.create({ model: "claude-sonnet-5-5", max_tokens: 99, system, messages });
  return reply.content.map(({ text }) => text).join("");
}
module.exports = { ask, LIMIT: 3 };
if (require.main === module) ask("mine");`,
  );
  expect(row("truncated-text")).toMatchObject({ status: "fails", diagnosis: "truncated-as-answer" });
  expect(fails.length).toBeGreaterThan(2);
  expect(fails.map(({ at }) => at?.line)).toEqual(fails.map(() => 7));
});

test("TypeScript with import and no type in package.json, paths of the tsconfig, started only when run", async () => {
  write(
    "lib/ask.ts",
    `${IMPORT}export const ask = (prompt: string) =>\n  ${CREATE}.then(({ content }: any) => content[0]?.text ?? "");`,
  );
  const { row, refusedHosts } = await report(
    "src/agent.ts",
    `import { pathToFileURL } from "node:url";
import { ask } from "@lib/ask.ts";
export const LIMIT = 3;
export const chat = async (prompt: string) => ask(prompt);
if (import.meta.url === pathToFileURL(process.argv[1]!).href) chat("mine").then(() => process.exit());`,
  );
  expect(row("refusal")).toMatchObject({ status: "fails", at: { file: "lib/ask.ts", line: 4 } });
  expect(row("overloaded")).toMatchObject({ status: "holds" });
  expect(refusedHosts).toEqual([]);
});

test.each([
  ["is caught", "await fetch(url).catch(() => {});"],
  ["nobody waits for", "void fetch(url);"],
])("another host, refused, which %s: it is named and the rest is audited", async (_what, line) => {
  const { row, refusedHosts } = await report(
    "src/telemetry.ts",
    `${IMPORT}const url = "https://telemetry.example/v1";
export async function runAgent(prompt: string) {\n  ${line}\n  return ${CREATE};\n}`,
  );
  expect(refusedHosts).toEqual(["telemetry.example"]);
  expect(row("truncated-text")).toMatchObject({ status: "holds" });
});

test("a loop that ends the process has its line", async () => {
  write(
    "src/exits.ts",
    `${IMPORT}export async function runAgent(prompt: string) {\n  await ${CREATE};\n  process.exit(0);\n}`,
  );
  const opened = await openFile(join(root, "src/exits.ts"), { runtime: inject("runtime"), sandboxed: false });
  if (!opened.ok) throw new Error(opened.why.en);
  const { stage } = opened.value;
  const [run] = await stage.play([twoTurns()], { toolsSeen: "results", stopWhen: () => null });
  await stage.close();
  expect(run).toMatchObject({ outcome: "crashed", kind: "exited", at: { line: 5 }, counts: { callModel: 1 } });
});

const ASK = `export async function runAgent(prompt: string) { return ${CREATE}; }`;

test.each<[string, string, RegExp, More?]>([
  ["exports nothing", `${IMPORT}${ASK.replace("export ", "")}\nrunAgent("mine");`, /(exporta nada|exports nothing): /],
  [
    "starts by itself",
    `${IMPORT}${ASK}\nawait runAgent("mine");`,
    /(por su cuenta en cuanto se importa|of its own as soon as it is imported).*import\.meta\.url/,
  ],
  [
    "starts by itself and exits",
    `${IMPORT}${ASK}\nrunAgent("mine").then(() => process.exit(0));`,
    /(por su cuenta|of its own).*require\.main/,
  ],
  [
    "takes an object",
    `${IMPORT}${ASK.replace("prompt: string", "{ prompt }: any")}`,
    /no estaba en ella.*--export audited|was not in it.*--export audited/,
  ],
  [
    "takes an object and needs it",
    `${IMPORT}${ASK.replace("prompt: string", "{ prompt }: any").replace("return ", "prompt.trim(); return ")}`,
    /TypeError.*--export audited/,
  ],
  [
    "talks to another model",
    `export async function runAgent() { await fetch("https://api.openai.example/v1/chat"); }`,
    /api\.openai\.example/,
  ],
  ["has tools of its own", `${IMPORT}const run = () => 3;${WITH_TOOL}`, /sin tu permiso|without your leave/],
  [
    "has them in its own file, to be replaced",
    `${IMPORT}const run = () => 3;${WITH_TOOL}`,
    /--allow-tool/,
    { stubTools: "src/misfit.ts" },
  ],
  [
    "has them in another module than the one to be replaced",
    `${IMPORT}const run = () => 3;${WITH_TOOL}`,
    /(no importa|does not import) `.*prompt\.md`/,
    { stubTools: "src/prompt.md" },
  ],
  [
    "runs them past the module to be replaced",
    `${IMPORT}import { LIMIT } from "./limit.ts"; const run = () => LIMIT;${WITH_TOOL}`,
    /(se detuvo|the audit stopped)/,
    { stubTools: "src/limit.ts" },
  ],
])("what is said of one that %s", async (_what, text, expected, more) => {
  write("src/limit.ts", "export const LIMIT = 3;");
  const made = await audited("src/misfit.ts", text, more);
  if (made.ok) throw new Error("It was audited");
  for (const lang of LANGS) expect(made.why[lang]).toMatch(expected);
});

test("one that takes an object is audited by an export that calls it", async () => {
  const text = `${IMPORT}${ASK.replace("prompt: string", "{ prompt }: any")}\nexport const audited = (prompt: string) => runAgent({ prompt });`;
  const { row } = await report("src/adapted.ts", text, { exportName: "audited" });
  expect(row("truncated-text")).toMatchObject({ status: "holds" });
});

test("one that only asks the model through the harness has its own tools", async () => {
  const text = `import { client } from "#harness";\nconst run = async () => 3;${WITH_TOOL}`;
  const { tools, row } = await report("src/through.ts", text, { allowTools: ["count_words"] });
  expect(tools.kind).toBe("own");
  expect(row("rounds")).toMatchObject({ status: "holds" });
  expect(row("endless-model")).toMatchObject({ status: "fails", at: { file: "src/through.ts", line: 6 } });
});

test("tools in a module of CommonJS have stand-ins", async () => {
  write("src/tools.cjs", `exports.tools = [${TOOL}];\nexports.run = async () => { throw new Error("the real one"); };`);
  const loop = WITH_TOOL.replaceAll(/: any(\[\])?| as any|: string/g, "")
    .replace("export async", "exports.runAgent = async")
    .replace(`[${TOOL}]`, "tools")
    .replace("run(name)", "run(name, {})");
  const text = `const { Anthropic } = require("@anthropic-ai/sdk");\nconst { tools, run } = require("./tools.cjs");\nconst client = new Anthropic();${loop}`;
  const { tools, row, fails } = await report("src/stubbed.cjs", text, { stubTools: "src/tools.cjs" });
  expect(tools).toMatchObject({ kind: "stubbed", list: [{ name: "count_words" }] });
  expect(row("parallel-calls")).toMatchObject({ status: "holds" });
  expect(fails.map(({ id }) => id)).toContain("endless-model");
});

const REAL = `throw new Error("the real one")`;

test.each<[string, string, string]>([
  [
    "is given a block",
    `export const run = async (block) => { ${REAL}; };`,
    "run({ type: 'tool_use', name, input: {} })",
  ],
  ["is given the name alone", `export const run = async (name) => { ${REAL}; };`, "run(name)"],
  [
    "belongs to a registry",
    `class Desk { tools = new Map(); put(tool) { this.tools.set(tool.name, tool); return this; }
  dispatch(name, input) { if (!this.tools.has(name)) throw new Error("Unknown tool"); return this.tools.get(name).execute(input); } }
export const run = new Desk().put({ name: "count_words", execute() { ${REAL}; } });`,
    "run.dispatch(name, {})",
  ],
])("with stand-ins, a dispatcher that %s is answered for", async (_what, tools, call) => {
  write("src/dispatcher.js", tools);
  const text = `${IMPORT}import { run } from "./dispatcher.js";${WITH_TOOL.replace("run(name)", call)}`;
  const { row } = await report("src/dispatched.ts", text, { stubTools: "src/dispatcher.js" });
  expect(row("parallel-calls")).toMatchObject({ status: "holds" });
  expect(row("tool-throws")).toMatchObject({ status: "fails" });
  expect(row("unknown-tool")).toMatchObject({ status: "fails" });
});

test.each<[string, string, string, RegExp]>([
  [
    "is no tool's",
    "perform",
    "String(await perform(asked.length))",
    /a `perform`, .*no se sabe|`perform`, .*cannot be told/,
  ],
  [
    "is no tool's, its error kept",
    "perform",
    "await perform(asked.length).catch(() => 'done')",
    /a `perform`, .*no se sabe|`perform`, .*cannot be told/,
  ],
  [
    "makes the tools",
    "createTools",
    "await createTools(3)[name].execute()",
    /a `createTools`, .*parece que las crea|`createTools`, .*seems to make them/,
  ],
  ["looks a tool up", "getTool", "await getTool(name).execute()", /a `getTool`, .*las busca|`getTool`, .*look them up/],
])("with stand-ins, a function that %s ends the audit, which names it", async (_what, name, call, expected) => {
  write("src/stray.js", `export const ${name} = () => { ${REAL}; };`);
  const text = `${IMPORT}import { ${name} } from "./stray.js";${WITH_TOOL.replace("String(await run(name))", call)}`;
  const made = await audited("src/astray.ts", text, { stubTools: "src/stray.js" });
  if (made.ok) throw new Error("It was audited");
  for (const lang of LANGS) expect(made.why[lang]).toMatch(expected);
});

test("tools made before the first request, in a function that is not run, are told and not blamed on the loop", async () => {
  write("src/factory.js", `export function createTools() { ${REAL}; }`);
  const text = `${IMPORT}import { createTools } from "./factory.js"; const run = () => 3;
const list = () => Object.values(createTools({}) as any).map((tool: any) => tool.spec);${WITH_TOOL.replace(`[${TOOL}]`, "list()")}`;
  const made = await audited("src/made.ts", text, { stubTools: "src/factory.js" });
  expect(made).toMatchObject({ ok: false, why: { en: expect.stringContaining("export const tools = …") } });
});

const loopFor = (limit: string, isOn: string) =>
  WITH_TOOL.replace("  for (;;) {", `  const limit = ${limit};\n  for (; ${isOn}; ) {`).replace(
    /\}$/,
    '  throw new Error("gave up");\n}',
  );
const BY_CLOCK = loopFor("Date.now() + 120_000", "Date.now() < limit");

test.each([
  ["of the clock", BY_CLOCK],
  ["of a signal", loopFor("AbortSignal.timeout(90_000)", "!limit.aborted")],
])("a limit of time ends the endless conversation where tools have stand-ins: %s", async (_what, loop) => {
  write("src/counting.js", `export const run = async (name) => { ${REAL}; };`);
  const text = `${IMPORT}import { run } from "./counting.js";${loop}`;
  const { row } = await report("src/timed.ts", text, { stubTools: "src/counting.js" });
  expect(row("endless-model")).toMatchObject({ status: "holds", next: null });
});

test("where tools are one's own no time passes, and that is said, with what --max-calls does", async () => {
  const text = `${IMPORT}const run = async () => 3;${BY_CLOCK}`;
  const { row, fails } = await report("src/own-time.ts", text, { allowTools: ["count_words"] });
  expect(row("endless-model")?.next?.en).toMatch(/limit above 40, .*--max-calls\..*limit of time cannot be seen/);
  expect(row("endless-model")?.next?.es).toMatch(/mayor que 40, .*--max-calls\..*límite de tiempo no se ve/);
  for (const { next } of fails) expect(next).not.toBe(null);
  expect(row("endless-model")).toMatchObject({ at: { line: expect.any(Number) }, onlySeenThere: false });
});

test("a failure without a diagnosis has a next step, too", async () => {
  const { fails } = await report("src/plain.ts", `${IMPORT}${ASK}`);
  const bare = await report(
    "src/bare.ts",
    `${IMPORT}export async function runAgent(prompt: string) {
  return ${CREATE}.then(({ content }: any) => content[0].text, () => "Done.");\n}`,
  );
  const unnamed = [...fails, ...bare.fails].filter(({ diagnosis }) => diagnosis === null);
  expect(unnamed.length).toBeGreaterThan(0);
  for (const { next } of unnamed) for (const lang of LANGS) expect(next?.[lang]).toMatch(/\.$/);
  // Where nothing names a line, what is shown is where the model was last asked.
  expect(unnamed.some(({ onlySeenThere }) => onlySeenThere)).toBe(true);
});
