import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LANGS } from "../../trace/text.ts";
import { bucle, KIT, unwrapped } from "../testing/bucle.ts";
import { freshFolder } from "../testing/folders.ts";

const HEALTHY = join(KIT, "graders/grading/styles/for-ever.ts");
/** It never stops an endless conversation; a short one tells as much. */
const PLAIN = join(KIT, "solutions/2.3-write-the-loop/agent.ts");
const SHORT = ["--max-calls", "20"];

/** A loop with a tool of its own, in a folder of its own. */
function project(): string {
  const folder = freshFolder();
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(folder, "tools.js"),
    `export const tools = [{ name: "delete_user", description: "deletes", input_schema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] } }];
export async function delete_user() { console.log("REALLY RUN"); return "gone"; }`,
  );
  writeFileSync(
    join(folder, "agent.js"),
    `import { delete_user, tools } from "./tools.js";
import Anthropic from "@anthropic-ai/sdk";
const client = new Anthropic();
export async function runAgent(userInput) {
  const messages = [{ role: "user", content: userInput }];
  for (let turn = 0; turn < 8; turn++) {
    const response = await client.messages.create({ model: "claude-sonnet-5-5", max_tokens: 500, messages, tools });
    messages.push({ role: "assistant", content: response.content });
    if (response.stop_reason !== "tool_use") return response;
    const results = [];
    for (const { type, id, name, input } of response.content) {
      if (type !== "tool_use") continue;
      try {
        if (name !== "delete_user") throw new Error("no such tool: " + name);
        results.push({ type: "tool_result", tool_use_id: id, content: await delete_user(input) });
      } catch (error) {
        results.push({ type: "tool_result", tool_use_id: id, is_error: true, content: error.message });
      }
    }
    messages.push({ role: "user", content: results });
  }
  throw new Error("too many turns");
}`,
  );
  return folder;
}

test.concurrent.each([
  ["es", "Esto no es un sandbox"],
  ["en", "This is no sandbox"],
] as const)("a healthy loop passes, and it is said that this is no sandbox: %s", async (lang, words) => {
  const said = await bucle(["audit", HEALTHY, "--lang", lang], { cwd: freshFolder() });
  expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(unwrapped(said.stdout)).toContain(words);
  expect(said.stdout).toContain("https://api.anthropic.com/v1/messages");
});

test.concurrent("a loop without any care fails, with the line; what is accepted is kept, and no longer fails", async () => {
  const cwd = freshFolder();
  const first = await bucle(["audit", PLAIN, ...SHORT, "--json"], { cwd });
  expect(first.code).toBe(1);
  const failing = (text: string) =>
    (
      JSON.parse(text) as {
        behaviours: { id: string; status: string; severity: string; ignored: string | null; line: number | null }[];
      }
    ).behaviours.filter(
      ({ status, severity, ignored }) => status === "fails" && severity !== "advice" && ignored === null,
    );
  const failed = failing(first.stdout);
  expect(failed.find(({ id }) => id === "tool-throws")?.line).toBeGreaterThan(0);
  const accepted = failed.flatMap(({ id }) => ["--ignore", `${id}=known`]);
  expect((await bucle(["audit", PLAIN, ...SHORT, ...accepted], { cwd })).code).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, "audit.json"), "utf8"))).toEqual({
    ignore: Object.fromEntries(failed.map(({ id }) => [id, "known"])),
  });
  const again = await bucle(["audit", PLAIN, ...SHORT, "--json"], { cwd });
  expect([again.code, failing(again.stdout)]).toEqual([0, []]);
});

test.concurrent("tools of one's own are listed, the dangerous called out, and none is run", async () => {
  const cwd = project();
  const said = await bucle(["audit", "agent.js", "--lang", "en"], { cwd });
  expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(said.stderr).toMatch(/delete_user +⚠ by its name/);
  expect(said.stderr).toContain("--allow-tool delete_user");
  expect(said.stderr).not.toContain("REALLY RUN");
});

test.concurrent("with leave they are run; with stand-ins nothing is, and more can be seen", async () => {
  const cwd = project();
  const status = (text: string, id: string) =>
    (JSON.parse(text) as { behaviours: { id: string; status: string }[] }).behaviours.find((row) => row.id === id)
      ?.status;
  const allowed = await bucle(["audit", "agent.js", "--allow-tool", "delete_user", "--json"], { cwd });
  expect(allowed.stdout).toContain("REALLY RUN");
  expect([status(allowed.stdout, "rounds"), status(allowed.stdout, "tool-throws")]).toEqual([
    "holds",
    "not-observable",
  ]);
  const stubbed = await bucle(["audit", "agent.js", "--stub-tools", "tools.js", "--json"], { cwd });
  expect(stubbed.stdout).not.toContain("REALLY RUN");
  expect([status(stubbed.stdout, "rounds"), status(stubbed.stdout, "tool-throws")]).toEqual(["holds", "holds"]);
});

test.concurrent("by a student's rules the same file keeps its verdict", async () => {
  const said = await bucle(["audit", PLAIN, ...SHORT, "--sandbox", "--json"], { cwd: freshFolder() });
  expect(said.code).toBe(1);
  expect((JSON.parse(said.stdout) as { layers: string[] }).layers).toContain("permission");
});

test.concurrent.each([
  [[], /Say what to audit/],
  [["missing.ts"], /There is no file `missing.ts`/],
  [[PLAIN, "--command", "true"], /not both/],
  [["--command", ""], /Say what to audit/],
  [["--command", "true", "--stub-tools", "x.js"], /`--stub-tools` is for a file/],
  [[PLAIN, "--format", "pdf"], /There are: .*sarif/],
  [[PLAIN, "--json", "--format", "sarif"], /ask for two formats/],
  [[PLAIN, "--sandbox", "--stub-tools", "x.js"], /With `--sandbox` there are no stand-ins/],
  [[PLAIN, "--stub-tools", "x.js"], /There is no file `x.js`/],
  [[PLAIN, "--max-calls", "3", "--ignore", "rounds=known"], /whole number from 20/],
  [[join(KIT, "solutions/2.3-write-the-loop")], /is a folder: .* Is it this one\? npx bucle audit "?\S.*agent\.ts"?$/],
  [[join(KIT, "docs")], /is a folder: .* for example npx bucle audit src\/agent\.ts/],
  [[PLAIN, "--ignore", "rounds"], /write id=reason/],
  [[PLAIN, "--max-calls", "3"], /whole number from 20/],
  [[PLAIN, "--export", "nobody"], /does not export `nobody`/],
])("wrong usage is told: audit %j", async (args, words) => {
  const cwd = freshFolder();
  const said = await bucle(["audit", ...args, "--lang", "en"], { cwd });
  expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(unwrapped(said.stderr).trim()).toMatch(words);
  expect(existsSync(join(cwd, "audit.json"))).toBe(false);
});

test.concurrent.each(LANGS)("a path with a space can be copied as it is suggested: %s", async (lang) => {
  const cwd = freshFolder();
  mkdirSync(join(cwd, "my loops"));
  writeFileSync(join(cwd, "my loops", "agent.ts"), "");
  writeFileSync(join(cwd, "my loops", "agent one.py"), "");
  const folder = await bucle(["audit", "my loops", "--lang", lang], { cwd });
  expect(unwrapped(folder.stderr)).toContain('npx bucle audit "my loops/agent.ts"');
  const program = await bucle(["audit", "my loops/agent one.py", "--lang", lang], { cwd });
  expect(program).toMatchObject({ code: 2, stdout: "" });
  expect(unwrapped(program.stderr)).toContain(`npx bucle audit --command "python3 'my loops/agent one.py'"`);
});

test.concurrent("a loop that does not get through a plain question and answer is not audited", async () => {
  const cwd = freshFolder();
  writeFileSync(
    join(cwd, "agent.mjs"),
    `import Anthropic from "@anthropic-ai/sdk";
export async function runAgent(content) {
  await new Anthropic().messages.create({ model: "claude-sonnet-5-5", max_tokens: 9, messages: [{ role: "user", content }] });
  throw new Error("whatever it says");
}`,
  );
  const said = await bucle(["audit", "agent.mjs", "--lang", "en"], { cwd });
  expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(unwrapped(said.stderr)).toContain(
    'your function did not get to return anything: it threw `Error`: "whatever it says"',
  );
});

test.concurrent.each([
  ['{ "maxCalls": "many" }', /^audit\.json, at `maxCalls`: it must be a number, and is a string/],
  [
    '{ "ignore": { "roundz": "known" } }',
    /^audit\.json, at `ignore\.roundz`: .* Did you mean `rounds`\? There are: .*refusal/,
  ],
])("an audit.json that cannot be used is named, with the field, and stays as it is: %s", async (text, words) => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, "audit.json"), text);
  const said = await bucle(["audit", PLAIN, ...SHORT, "--lang", "en", "--ignore", "refusal=known"], { cwd });
  expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(said.stderr).toMatch(words);
  expect(readFileSync(join(cwd, "audit.json"), "utf8")).toBe(text);
});

test.concurrent("a tool that is allowed and never offered ends with exit code 2 and the tools there are", async () => {
  const said = await bucle(["audit", "agent.js", "--allow-tool", "delete_usr", "--lang", "en"], { cwd: project() });
  expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(said.stderr).toMatch(/names `delete_usr`, .* It offers: `delete_user`\./);
});

test.concurrent("a tool that only audit.json names may be another loop's: it is told, and left aside", async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, "audit.json"), '{ "inputs": { "delete_usr": [{}] } }');
  const said = await bucle(["audit", PLAIN, ...SHORT, "--json", "--lang", "en"], { cwd });
  expect(said.stderr).toBe(
    "audit.json names tools that this loop does not offer the model: `delete_usr`. They were left aside.\n",
  );
  expect(() => JSON.parse(said.stdout)).not.toThrow();
});

test.concurrent("a tool that is to be left is not asked for; with stand-ins there is nothing to allow", async () => {
  const cwd = project();
  const stubbed = ["audit", "agent.js", "--stub-tools", "tools.js"];
  const left = await bucle([...stubbed, "--leave-tool", "delete_user", "--json"], { cwd });
  const { tools } = JSON.parse(left.stdout) as { tools: { list: { name: string; called: boolean }[] } };
  expect(tools.list).toMatchObject([{ name: "delete_user", called: false }]);
  for (const lang of LANGS) {
    const both = await bucle([...stubbed, "--allow-tool", "delete_user", "--lang", lang], { cwd });
    expect(both.code).toBe(2);
    expect(unwrapped(both.stderr)).toMatch(/--allow-tool.*--stub-tools.*--leave-tool/);
  }
});
