import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { KIT, node } from "./testing/bucle.ts";
import { kitCopy } from "./testing/folders.ts";

const BUCLE = join(KIT, "graders/cli/bucle.cjs");

/** Runs the entry as a Node of this version would, as far as it can tell. */
function asNode(version: string, args: readonly string[]) {
  const pretend = `Object.defineProperty(process.versions, "node", { value: ${JSON.stringify(version)} });`;
  return node(["-e", `${pretend} require(${JSON.stringify(BUCLE)});`, BUCLE, ...args]);
}

test.concurrent.each(["12.0.0", "20.18.3", "8.17.0"])(
  "Node %s is too old: one line in both languages, exit code 2",
  async (version) => {
    const said = await asNode(version, ["check"]);
    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr.trim().split("\n")).toHaveLength(1);
    expect(said.stderr).toContain(`Bucle necesita Node 20.19 o posterior (aquí: ${version})`);
    expect(said.stderr).toContain(`Bucle needs Node 20.19 or later (here: ${version})`);
  },
);

test.concurrent.each(["20.19.0", "22.0.0", "100.1.0"])("Node %s is not", async (version) => {
  expect(await asNode(version, ["--version"])).toMatchObject({ code: 0, stderr: "" });
});

test("the entry is written in the syntax of ES5, so that an old Node can read it", async () => {
  const source = readFileSync(BUCLE, "utf8");
  const compiled = async (target: string) => (await transform(source, { target, charset: "utf8" })).code;
  // What the compiler has nothing to lower, an old Node understands...
  expect(await compiled("es5")).toBe(await compiled("esnext"));
  // ... but for a comma after the last argument, which it drops without a word.
  expect(source).not.toMatch(/,\s*\)/);
});

test("a clone whose packages were never installed is told to install them: one line, exit code 2", async () => {
  const copy = kitCopy({ packages: false });
  const said = await node([join(copy, "graders/cli/bucle.cjs"), "start"], { cwd: copy });
  expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(said.stderr.trim().split("\n")).toHaveLength(1);
  expect(said.stderr.match(/`npm ci`/g)).toHaveLength(2);
});
