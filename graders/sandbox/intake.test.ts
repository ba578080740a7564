import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Refusal } from "./compile/program.ts";
import { type Submission, takeIn } from "./intake.ts";
import { IS_WINDOWS } from "./platform.ts";

let root = "";
let folder = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bucle-intake-"));
  folder = join(root, "2.3-write-the-loop");
  mkdirSync(folder);
  writeFileSync(join(root, "solution.ts"), "the solution");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string | Uint8Array = "export {};") {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

async function taken(): Promise<Submission> {
  const result = await takeIn(folder);
  if (!result.ok) throw new Error(result.refusal.headline.en);
  return result.value;
}

async function refusal(): Promise<Refusal> {
  const result = await takeIn(folder);
  if (result.ok) throw new Error(`taken: ${JSON.stringify(result.value)}`);
  const { headline, detail, next } = result.refusal;
  for (const text of [headline, detail, next]) expect(text.es).not.toBe(text.en);
  expect(headline.es.length).toBeLessThanOrEqual(90);
  return result.refusal;
}

const namesOf = ({ files }: Submission) => files.map(({ name }) => name);

for (const name of ["agent.ts", "agent.mts", "agent.js", "agent.mjs"]) {
  test(`takes ${name}`, async () => {
    write(name, "export const runAgent = 1;");
    expect(await taken()).toEqual({ entry: name, files: [{ name, text: "export const runAgent = 1;" }], refused: [] });
  });
}

test("takes helpers beside it and below it, the entry first", async () => {
  for (const name of ["zeta.js", "agent.ts", "a.mts", "lib/b.mjs", "lib/deep/er/c.ts", "data.json", "my helper (2).ts"])
    write(name);
  expect(namesOf(await taken())).toEqual([
    "agent.ts",
    "a.mts",
    "data.json",
    "my helper (2).ts",
    "zeta.js",
    "lib/b.mjs",
    "lib/deep/er/c.ts",
  ]);
});

test("leaves alone what is no code", async () => {
  write("agent.ts");
  for (const name of [
    ...[
      "answers.json",
      "answers.schema.json",
      "package.json",
      "package-lock.json",
      "tsconfig.json",
      "tsconfig.build.json",
    ],
    ...[
      "README.md",
      "README.es.md",
      "notes.txt",
      ".env",
      ".hidden/x.ts",
      "node_modules/zod/index.js",
      "lib/node_modules/x/index.js",
    ],
  ]) {
    write(name);
  }
  expect(await taken()).toEqual({ entry: "agent.ts", files: [{ name: "agent.ts", text: "export {};" }], refused: [] });
});

test("asks which of two entries to keep", async () => {
  write("agent.ts");
  write("agent.js");
  const { headline, next } = await refusal();
  expect(headline.en).toBe("There are `agent.ts` and `agent.js`: there can be only one.");
  expect(next.es).toContain("Conserva");
});

test("says what is missing, and what the file it found should be called", async () => {
  expect((await refusal()).headline.en).toBe("`agent.ts` is missing from `2.3-write-the-loop`.");
  write("main.js");
  expect((await refusal()).next.en).toBe("If your loop is in `main.js`, name it `agent.js`.");
  write("other.ts");
  expect((await refusal()).next.en).toBe("Put your `agent.ts` into that folder.");
});

test("refuses a folder that is missing, a file, or a link to a folder", async () => {
  write("agent.ts");
  for (const path of [join(root, "nowhere"), join(root, "solution.ts")]) {
    expect(await takeIn(path)).toMatchObject({
      ok: false,
      refusal: { headline: { en: expect.stringMatching(/^There is no folder/) } },
    });
  }
  symlinkSync(folder, join(root, "link"), "junction");
  expect((await takeIn(join(root, "link"))).ok).toBe(false);
});

test("takes the byte order mark away", async () => {
  write("agent.ts", "\uFEFFexport const ñ = '😀';");
  expect((await taken()).files[0]?.text).toBe("export const ñ = '😀';");
});

test("refuses an entry that is not UTF-8", async () => {
  for (const bytes of [
    Buffer.from([0x61, 0xff, 0x62]),
    Buffer.from("export {}", "utf16le"),
    Buffer.from("\uFEFFexport {}", "utf16le"),
    Buffer.from("a\0b"),
  ]) {
    write("agent.ts", bytes);
    expect((await refusal()).detail.en).toMatch(/not UTF-8/);
  }
});

test("takes 64 KB and refuses one byte more", async () => {
  write("agent.ts", "x".repeat(64 * 1024));
  expect((await taken()).files[0]?.text).toHaveLength(64 * 1024);
  write("agent.ts", "x".repeat(64 * 1024 + 1));
  expect((await refusal()).detail.en).toMatch(/over 64 KB/);
  write("agent.ts", Buffer.alloc(50 * 1024 * 1024, "x"));
  expect((await refusal()).detail.en).toMatch(/over 64 KB/);
});

test.skipIf(IS_WINDOWS)("refuses an entry that is a symbolic link, wherever it leads", async () => {
  for (const target of [join(root, "solution.ts"), "../solution.ts", "/dev/zero", "agent.ts", "nowhere"]) {
    rmSync(join(folder, "agent.ts"), { force: true });
    symlinkSync(target, join(folder, "agent.ts"));
    const refused = await refusal();
    expect(refused.detail.en).toMatch(/symbolic link/);
    expect(JSON.stringify(refused)).not.toContain("the solution");
  }
});

test("refuses an entry that is a hard link", async () => {
  linkSync(join(root, "solution.ts"), join(folder, "agent.ts"));
  expect((await refusal()).detail.en).toMatch(/hard link/);
});

test("refuses an entry that is a folder", async () => {
  mkdirSync(join(folder, "agent.ts"));
  expect((await refusal()).detail.en).toMatch(/not a regular file/);
});

test.skipIf(IS_WINDOWS)("refuses an entry that is a named pipe without waiting at it", async () => {
  execFileSync("mkfifo", [join(folder, "agent.ts")]);
  expect((await refusal()).detail.en).toMatch(/not a regular file/);
});

test.skipIf(IS_WINDOWS)("refuses an entry that is a socket", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(folder, "agent.ts"), resolve));
  expect((await refusal()).detail.en).toMatch(/not a regular file/);
  server.close();
});

test("keeps why a helper is refused, and refuses nothing for it", async () => {
  write("agent.ts");
  write("big.ts", "x".repeat(70_000));
  write("latin1.ts", Buffer.from([0xf1]));
  write("pequeño.ts");
  write("-dash.ts");
  write("a/b/c/d/e.ts");
  linkSync(join(root, "solution.ts"), join(folder, "hard.ts"));
  const { files, refused } = await taken();
  expect(files).toHaveLength(1);
  expect(Object.fromEntries(refused.map(({ name, why }) => [name, why.en]))).toEqual({
    "-dash.ts": expect.stringMatching(/Its name may only/),
    "big.ts": expect.stringMatching(/over 64 KB/),
    "hard.ts": expect.stringMatching(/hard link/),
    "latin1.ts": expect.stringMatching(/not UTF-8/),
    "pequeño.ts": expect.stringMatching(/Its name may only/),
    "a/b/c/d": expect.stringMatching(/too deep/),
  });
});

test.skipIf(IS_WINDOWS)("follows no link to a folder", async () => {
  write("agent.ts");
  symlinkSync(root, join(folder, "lib"));
  symlinkSync(root, join(folder, "lib.ts"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const { files, refused } = await taken();
  expect(files).toHaveLength(1);
  expect(refused.map(({ name, why }) => `${name}: ${why.en}`)).toEqual([
    "lib: It is a symbolic link, and links are not followed.",
    "lib.ts: It is a symbolic link, and links are not followed.",
    "pipe: It is not a regular file.",
  ]);
});

test.skipIf(IS_WINDOWS || process.platform === "darwin")("takes no two helpers that differ in case alone", async () => {
  write("agent.ts");
  write("Helper.ts");
  write("helper.ts");
  const { files, refused } = await taken();
  expect(files).toHaveLength(1);
  expect(refused.map(({ name }) => name)).toEqual(["Helper.ts", "helper.ts"]);
});

test("takes 20 files, those nearest to the entry", async () => {
  write("zz/deep.ts");
  write("agent.ts");
  for (let i = 10; i < 30; i++) write(`h${i}.ts`);
  const submission = await taken();
  expect(submission.files).toHaveLength(20);
  expect(submission.refused.map(({ name }) => name)).toEqual(["h29.ts", "zz/deep.ts"]);
});

test("stops reading a folder that is made to have no end, and still finds the entry above it", async () => {
  write("agent.ts");
  mkdirSync(join(folder, "lib"));
  for (let i = 0; i < 2100; i++) writeFileSync(join(folder, "lib", `f${i}.txt`), "");
  expect(namesOf(await taken())).toEqual(["agent.ts"]);
  for (let i = 0; i < 2100; i++) writeFileSync(join(folder, `f${i}.txt`), "");
  expect((await refusal()).headline.en).toBe("There are too many files in `2.3-write-the-loop`.");
});
