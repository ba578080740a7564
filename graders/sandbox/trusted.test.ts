/** Code that its user trusts: it may do what they may, but for the network and their secrets. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, inject, test } from "vitest";
import { createSandbox } from "./sandbox.ts";
import { runtimeUrl } from "./spawn.ts";
import { compileText, honestLoop, openLab, twoTurns } from "./testing/lab.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bucle-trusted-")));
writeFileSync(join(folder, "note.txt"), "read from the folder");
writeFileSync(join(folder, "helper.mjs"), "export const help = () => 'imported from the folder';");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = {
  PATH: process.env.PATH,
  ANTHROPIC_API_KEY: "sk-real",
  GITHUB_TOKEN: "ghp",
  MODE: "dry",
  NODE_OPTIONS: "-x",
};
const lab = openLab({ trusted: { cwd: folder, env } });
const body = (code: string) => `export async function runAgent() {\n${code}\n}\n`;
const settledWith = async (code: string) => (await lab.run(body(code))).trace.at(-1);

test("an honest loop is counted as ever, with its lines", async () => {
  const run = await lab.run(honestLoop());
  expect(run).toMatchObject({ outcome: "returned", counts: { callModel: 2, executeTool: 1 } });
  expect(run.trace.flatMap((event) => ("at" in event && event.at ? [event.at.line] : []))).toEqual([6, 12, 16]);
});

test("it runs in its folder and reads it", async () => {
  const code = `  const { readFileSync } = await import("node:fs");
  return { cwd: process.cwd(), text: readFileSync("note.txt", "utf8") };`;
  expect(await settledWith(code)).toMatchObject({ value: { cwd: folder, text: "read from the folder" } });
});

test("its program may import files", async () => {
  const program = await compileText("export async function runAgent() { return help(); }", inject("runtime"));
  const url = pathToFileURL(join(folder, "helper.mjs")).href;
  const code = `import { help } from ${JSON.stringify(url)};\n${program.code}`;
  const run = await lab.sandbox.run({
    program: { ...program, code },
    entry: "runAgent",
    scenario: twoTurns(),
    stopWhen: () => null,
  });
  expect(run.trace.at(-1)).toMatchObject({ value: "imported from the folder" });
});

test("stand-ins for its own tools reach the conversation's", async () => {
  const text = honestLoop().replace("executeTool(block.name", "mine.look(").replace("(, block", "(block");
  const program = await compileText(text, inject("runtime"));
  const own = `import { standIns } from ${JSON.stringify(runtimeUrl(inject("runtime")))};
const mine = standIns({ look: () => { throw new Error("the real one") } });\n`;
  const run = await lab.sandbox.run({
    program: { ...program, code: own + program.code },
    entry: "runAgent",
    scenario: twoTurns(),
    stopWhen: () => null,
  });
  expect(run).toMatchObject({ outcome: "returned", counts: { callModel: 2, executeTool: 1 } });
});

test("tools that run unseen are known by their results, where that is asked for", async () => {
  const program = await compileText(
    honestLoop().replace("await executeTool(block.name, block.input)", '"of its own"'),
    inject("runtime"),
  );
  const held = { program, entry: "runAgent", scenario: twoTurns(), stopWhen: () => null };
  expect((await lab.sandbox.run(held)).counts.executeTool).toBe(0);
  expect((await lab.sandbox.run({ ...held, toolsSeen: "results" })).counts.executeTool).toBe(1);
});

test("it may start processes", async () => {
  const code = `  const { execFileSync } = process.getBuiltinModule("node:child_process");
  return execFileSync(process.execPath, ["-p", "6 * 7"], { encoding: "utf8" }).trim();`;
  expect(await settledWith(code)).toMatchObject({ value: "42" });
});

test("it has no secret of its user's, and a key that opens nothing", async () => {
  expect(await settledWith("  return { ...process.env };")).toMatchObject({
    value: { PATH: env.PATH, MODE: "dry", ANTHROPIC_API_KEY: "sandbox-no-key" },
  });
  const told = JSON.stringify(await settledWith("  return { ...process.env };"));
  for (const secret of ["sk-real", "ghp", "NODE_OPTIONS"]) expect(told).not.toContain(secret);
});

test("it sees no argument of the sandbox's", async () => {
  expect(await settledWith("  return process.argv.length;")).toMatchObject({ value: 2 });
});

test("nothing it tries reaches a server, and a host that it asked for is named", async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const ways = [
    `await fetch("http://127.0.0.1:${port}/")`,
    `await new Promise((done, fail) => http.get("http://127.0.0.1:${port}/", done).on("error", fail))`,
    `net.connect(${port}, "127.0.0.1")`,
    `new net.Socket().connect(${port}, "127.0.0.1")`,
    `tls.connect(${port}, "127.0.0.1")`,
    `dgram.createSocket("udp4")`,
    `http2.connect("http://127.0.0.1:${port}")`,
    `await dns.promises.lookup("example.com")`,
    `net.createServer().listen(0)`,
  ];
  const code = `  const [net, tls, dgram, http, http2, dns] = await Promise.all([import("node:net"), import("node:tls"),
    import("node:dgram"), import("node:http"), import("node:http2"), import("node:dns")]);
  let refused = 0;
  ${ways.map((way) => `try { ${way}; } catch { refused += 1; }`).join("\n  ")}
  return refused;`;
  const run = await lab.run(body(code));
  await new Promise((resolve) => server.close(resolve));
  expect(run.trace.at(-1)).toMatchObject({ type: "settled", value: ways.length });
  expect(connections).toBe(0);
  const blocked = run.trace.flatMap((event) => (event.type === "blocked" ? [event] : []));
  expect(blocked.every(({ what }) => what === "network")).toBe(true);
  expect(blocked.filter(({ detail }) => detail === `GET 127.0.0.1:${port}`)).toHaveLength(2);
});

test("time is virtual, and a spin is named with its line", async () => {
  expect(await settledWith("  await new Promise((done) => setTimeout(done, 3_600_000));\n  return 1;")).toMatchObject({
    value: 1,
  });
  expect(await lab.run(body("  for (;;) await null;"))).toMatchObject({ kind: "busy-loop", at: { line: 2 } });
});

test("the report's layers say what is on", async () => {
  const plain = createSandbox({ runtime: inject("runtime") });
  expect(plain.layers).toContain("permission");
  expect(lab.sandbox.layers).not.toContain("permission");
  expect(lab.sandbox.layers).toContain("no-network");
  await plain.close();
});
