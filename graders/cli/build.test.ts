import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { bucle, KIT, node } from "./testing/bucle.ts";
import { kitCopy } from "./testing/folders.ts";

const DAY_S = 24 * 3600;

test("two builds at once give one good bundle; a change of the sources gives another, and old ones are swept", async () => {
  const kit = kitCopy();
  const dist = join(kit, "dist");
  const build = () => node([join(kit, "graders/cli/build.mjs")], { cwd: kit });
  const bundles = () => readdirSync(dist).filter((name) => name !== "current.json");
  const current = () => (JSON.parse(readFileSync(join(dist, "current.json"), "utf8")) as { folder: string }).folder;

  const both = await Promise.all([build(), build()]);
  for (const said of both) expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(bundles()).toEqual([current()]);
  const first = current();
  expect(await bucle(["--version"], { kit })).toMatchObject({ code: 0, stderr: "" });
  expect(bundles(), "a bundle that fits is not built again").toEqual([first]);

  const aged = (name: string, days: number) => {
    mkdirSync(join(dist, name));
    utimesSync(join(dist, name), Date.now() / 1000 - days * DAY_S, Date.now() / 1000 - days * DAY_S);
  };
  aged("left-long-ago", 2);
  aged("making-of-yesterday-noon", 0.5);
  const main = join(kit, "graders/cli/main.ts");
  // As long as before, and with the time of before: that it was written to is noticed all the same.
  const { atime, mtime } = statSync(main);
  writeFileSync(
    main,
    readFileSync(main, "utf8").replace(
      "Learn to write the agent loop by hand.",
      "Edited just now, and of the same size.",
    ),
  );
  utimesSync(main, atime, mtime);
  const stale = await bucle(["--help", "--lang", "en"], { kit });
  expect(stale).toMatchObject({ code: 0, stderr: "" });
  expect(stale.stdout).toContain("Edited just now");
  expect(current()).not.toBe(first);
  expect(bundles().sort()).toEqual([first, current(), "making-of-yesterday-noon"].sort());
});

test("a build that fails says why and leaves nothing half made", async () => {
  const kit = kitCopy();
  writeFileSync(join(kit, "graders/cli/kit.ts"), "export const broken = ;\n");
  const said = await bucle(["--version"], { kit });
  expect(said).toMatchObject({ code: 3, stdout: "" });
  expect(said.stderr).toContain("graders/cli/kit.ts:1:22");
  expect(readdirSync(join(kit, "dist"))).toEqual([]);
});

test("a packed kit has no sources and runs what it was packed with", async () => {
  const kit = kitCopy({ runtime: inject("runtime") });
  rmSync(join(kit, "graders"), { recursive: true });
  for (const file of ["bucle.cjs", "launch.cjs", "sources.cjs"]) {
    cpSync(join(KIT, "graders/cli", file), join(kit, "graders/cli", file));
  }
  const said = await bucle(["check", "2.4", "--dir", "solutions", "--json"], { kit, cwd: kit });
  expect(said).toMatchObject({ code: 0, stderr: "" });
});
