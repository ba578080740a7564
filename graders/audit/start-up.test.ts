/** Loops that do not get as far as an audit: each is told what happened, where, and what to do, in both languages. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { LANGS, type Text } from "../trace/text.ts";
import { audit } from "./audit.ts";
import type { Settings } from "./settings.ts";
import { openCommand, openFile, type Subject } from "./subject.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bucle start-up ñ ")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

interface Given {
  settings?: Partial<Settings>;
  named?: string[];
  stubTools?: string;
  sandboxed?: boolean;
  exportName?: string;
}

/** Why a file cannot be audited. */
async function whyNot(text: string, { settings, named, sandboxed = false, ...asked }: Given = {}): Promise<Text> {
  files += 1;
  const file = join(folder, `agent${files}.mjs`);
  writeFileSync(file, text);
  const opened = await openFile(file, { runtime: inject("runtime"), sandboxed, ...asked });
  if (!opened.ok) throw new Error(opened.why.en);
  return whyNotOf(opened.value, settings, named);
}

async function whyNotOf(subject: Subject, given: Partial<Settings> = {}, named: string[] = []): Promise<Text> {
  const settings = { ignore: {}, inputs: {}, allowTools: [], leaveTools: [], maxCalls: 40, ...given };
  try {
    const audited = await audit({ ...subject, kit: "test", seed: "start-up", lang: "en", settings, named });
    if (audited.ok) throw new Error("it was audited");
    return audited.why;
  } finally {
    await subject.stage.close();
  }
}

const LOOP = "export async function runAgent(userInput) { return userInput; }\n";
/** The id of an outcome, not a word of either language. */
const RAW = /\b(threw|exited|busy-loop|idle-loop|never-settles|out-of-memory|uncaught|returned|crashed|stalled)\b/;

test.concurrent.each<[what: string, text: string, line: number | null, es: RegExp, en: RegExp, nextEn: RegExp]>([
  [
    "throws",
    `\nthrow new Error("no max_tokens");\n${LOOP}`,
    2,
    /al importarlo lanzó `Error`: «no max_tokens»/,
    /on import it threw `Error`: "no max_tokens"/,
    /Mend that line, or move it/,
  ],
  [
    "misses a secret",
    `if (!process.env.SOME_API_KEY) throw new Error("SOME_API_KEY is not set");\n${LOOP}`,
    1,
    /lanzó `Error`: «SOME_API_KEY is not set»/,
    /threw `Error`: "SOME_API_KEY is not set"/,
    /a key or a password are not passed on/,
  ],
  [
    "exits",
    `\n\nprocess.exit(1);\n${LOOP}`,
    3,
    /al importarlo apagó el proceso entero/,
    /on import it shut the whole process down/,
    /only when the file is run: `if \(import\.meta/,
  ],
  [
    "spins",
    `let ready = false;\nwhile (!ready) Math.sqrt(2);\n${LOOP}`,
    2,
    /dio [\d,]+ vueltas en un bucle que no espera nada/,
    /went round [\d,]+ times in a loop that waits for nothing/,
    /come to an end/,
  ],
  [
    "never settles",
    `await new Promise(() => {});\n${LOOP}`,
    null,
    /se quedó esperando \(`await`\) una promesa/,
    /was left waiting \(`await`\) for a promise/,
    /come to an end/,
  ],
  [
    "waits time and again",
    `while (!globalThis.ready) await new Promise((resolve) => setTimeout(resolve, 9));\n${LOOP}`,
    null,
    /esperó \d+ veces seguidas/,
    /waited \d+ times in a row/,
    /come to an end/,
  ],
  [
    "fills the memory",
    `const all = [];\nfor (let i = 0; ; i++) all.push(new Array(1e5).fill(i));\n${LOOP}`,
    null,
    /llenó toda la memoria/,
    /filled all the memory/,
    /come to an end/,
  ],
  [
    "lets an error escape",
    `setTimeout(() => { throw new RangeError("late"); }, 5);\nawait new Promise((resolve) => setTimeout(resolve, 50));\n${LOOP}`,
    1,
    /dejó escapar un error que nadie esperaba, `RangeError`: «late»/,
    /let an error escape that nobody was waiting for, `RangeError`: "late"/,
    /Mend that line/,
  ],
  [
    "wants the network",
    `\nexport const prices = await (await fetch("https://prices.example.com/all")).json();\n${LOOP}`,
    2,
    /quiso salir a la red, a prices\.example\.com/,
    /tried to use the network, to reach prices\.example\.com/,
    /no network but Anthropic's API/,
  ],
])("a file that does not load: %s", async (_what, text, line, es, en, nextEn) => {
  const why = await whyNot(text);
  expect(why.es).toMatch(/^Tu archivo no llega a cargarse: /);
  expect(why.es).toMatch(es);
  expect(why.en).toMatch(/^Your file does not load: /);
  expect(why.en).toMatch(en);
  expect(why.en).toMatch(nextEn);
  for (const lang of LANGS) {
    if (line !== null) expect(why[lang]).toMatch(new RegExp(`\\(\\S*agent\\d+\\.mjs:${line}\\)`));
    expect(why[lang]).not.toContain("--export");
  }
  expect(why.es).not.toMatch(RAW);
});

test.concurrent("one that --sandbox does not let load is told so", async () => {
  const why = await whyNot(`import { readFileSync } from "node:fs";\nreadFileSync("/etc/hosts");\n${LOOP}`, {
    sandboxed: true,
  });
  expect(why.en).toMatch(/tried to read or write files .*`--sandbox`/);
});

test.concurrent.each<[what: string, text: string, es: RegExp, en: RegExp, nextEn: RegExp]>([
  [
    "takes something else",
    "export const runAgent = async ({ prompt }) => prompt.trim();",
    /Tu función no llamó .*: lanzó `TypeError`/,
    /Your function did not call .*: it threw `TypeError`/,
    /say --export audited/,
  ],
  [
    "returns at once",
    LOOP,
    /no llamó ni una vez a https:.*: devolvió `".*"` sin más/,
    /even once: it just returned `".*"`/,
    /say --export audited/,
  ],
  [
    "exits",
    "export const runAgent = async () => process.exit(3);",
    /: apagó el proceso entero \(/,
    /: it shut the whole process down \(/,
    /without shutting down/,
  ],
  [
    "spins",
    "export async function runAgent(text) { while (true) text.length; }",
    /: dio [\d,]+ vueltas/,
    /: it went round [\d,]+ times/,
    /for that loop to stop/,
  ],
  [
    "asks somebody else",
    'export const runAgent = async () => (await fetch("https://models.example.com/v1")).text();',
    /quiso salir a la red, a models\.example\.com/,
    /tried to use the network, to reach models\.example\.com/,
    /point your client there/,
  ],
])("a function that never asks the model: %s", async (_what, text, es, en, nextEn) => {
  const why = await whyNot(text);
  expect(why.es).toMatch(es);
  expect(why.es).not.toMatch(RAW);
  expect(why.en).toMatch(en);
  expect(why.en).toMatch(nextEn);
});

test.concurrent.each<[what: string, text: string, exportName: string | undefined, en: RegExp, example: string]>([
  [
    "a class that is made with something",
    "export class Agent {\n  constructor({ model }) { this.model = model; }\n  async ask(text) { return text; }\n}",
    undefined,
    /`Agent` is a class.*which it does not have\. There it threw `TypeError`.*:2\)/,
    "new Agent({ … }).ask(userInput)",
  ],
  [
    "a class whose runAgent wants what it was made with",
    "export class Agent {\n  constructor(client) { this.client = client; }\n  runAgent(text) { return this.client.ask(text); }\n}",
    undefined,
    /`Agent` is a class.*calls its method `runAgent\(userInput, tools\)`\. There it threw `TypeError`.*:3\)/,
    "new Agent({ … }).runAgent(userInput)",
  ],
  [
    "a class without runAgent",
    "class Base { help() {} }\nexport default class Bot extends Base { chat(text) { return text; } }",
    undefined,
    /`Bot` is a class.*which it does not have\. Export/,
    "new Bot().chat(userInput)",
  ],
  [
    "an object without runAgent",
    "export default { model: 'x', answer(text) { return text; } };",
    undefined,
    /The export `default` is an object without a method `runAgent`/,
    "agent.answer(userInput)",
  ],
  [
    "a promise",
    "export default Promise.resolve((text) => text);",
    undefined,
    /is a promise, and has to be a function/,
    "agent.then((run) => run(userInput))",
  ],
  ["a text", "export const prompt = 'be brief';", undefined, /is a string, and has to be a function/, "ask("],
  [
    "an object beside functions",
    "export const agent = {};\nexport const one = (text) => text;\nexport function two() {}",
    "agent",
    /another of its functions \(`one`, `two`\), say so with --export/,
    "ask(",
  ],
])("an export that is no loop: %s", async (_what, text, exportName, en, example) => {
  const why = await whyNot(text, exportName === undefined ? {} : { exportName });
  expect(why.en).toMatch(en);
  for (const lang of LANGS) {
    expect(why[lang]).toContain(`export const audited = (userInput) => ${example}`);
    expect(why[lang]).not.toContain("not a function");
  }
});

test.concurrent("a function that asks and never gets through a plain answer is told in words, with the line", async () => {
  const why = await whyNot(`import Anthropic from "@anthropic-ai/sdk";
export async function runAgent(content) {
  await new Anthropic().messages.create({ model: "claude-sonnet-5-5", max_tokens: 9, messages: [{ role: "user", content }] });
  process.exit(0);
}`);
  expect(why.es).toMatch(/tu función no llegó a devolver nada: apagó el proceso entero \(\S*:4\)\./);
  expect(why.en).toMatch(/your function did not get to return anything: it shut the whole process down \(\S*:4\)\./);
});

test.concurrent("a program that is not there is told by its exit code and its last words", async () => {
  const why = await whyNotOf(openCommand("bucle-has-no-such-command"));
  expect(why.es).toMatch(/^Tu programa no llamó .*: terminó con el código de salida \d+, y lo último que dijo fue «/);
  expect(why.en).toMatch(/^Your program did not call .*: it ended with exit code \d+, and the last it said was "/);
});

const ASKS = `import Anthropic from "@anthropic-ai/sdk";
export async function runAgent(content) {
  const tools = [{ name: "find_parcel", input_schema: { type: "object" } }];
  return new Anthropic().messages.create({ model: "claude-sonnet-5-5", max_tokens: 9, messages: [{ role: "user", content }], tools });
}
`;

test.concurrent("a tool that is allowed by name and never offered is told, with those that are", async () => {
  const why = await whyNot(ASKS, { named: ["find_parcel", "nope"] });
  expect(why.es).toContain("`--allow-tool` nombra `nope`");
  expect(why.es).toContain("Las que ofrece: `find_parcel`.");
  expect(why.en).toContain("`--allow-tool` names `nope`");
  expect(why.en).toContain("It offers: `find_parcel`.");
});

test.concurrent("so is one that is to be left and never offered", async () => {
  const why = await whyNot(ASKS, { settings: { leaveTools: ["nope"] }, named: ["nope"] });
  expect(why.es).toContain("`--leave-tool` nombra `nope`");
  expect(why.en).toContain("`--leave-tool` names `nope`");
});

const OFFERS_NONE = ASKS.replace(", tools }", " }");

test.concurrent("a tool that is allowed by name in a loop without any is told, too", async () => {
  const why = await whyNot(OFFERS_NONE, { named: ["find_parcel"] });
  expect(why.en).toContain("your loop does not offer the model that tool. It offers none.");
});

test.concurrent("stand-ins for a loop that offers no tool are told", async () => {
  writeFileSync(join(folder, "tools.mjs"), "export const find_parcel = () => 3;");
  const why = await whyNot(`import "./tools.mjs";\n${OFFERS_NONE}`, { stubTools: join(folder, "tools.mjs") });
  expect(why.es).toContain("no ofrece ninguna al modelo en ninguna petición");
  expect(why.en).toContain("offers the model no tool in any request");
});
