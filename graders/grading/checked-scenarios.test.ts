import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioReader } from "./checked-scenarios.ts";
import { FAKE, freshFolder, read } from "./testing/fake.ts";

const temp = freshFolder();
const KETTLE = read(FAKE, "fixtures/scenarios/kettle-on.json");
const NONE = `{ "title": "x" }`;

test("what was found sound is remembered by its hash, and not checked again", async () => {
  const list = join(temp, "new folder", "sound.json");
  const first = await scenarioReader(list)(KETTLE, "kettle.json", "abc");
  expect(JSON.parse(readFileSync(list, "utf8"))).toEqual(["abc"]);
  const again = scenarioReader(list);
  expect(await again(KETTLE, "kettle.json", "abc")).toEqual(first);
  // No check: what has a known hash is taken as it is.
  expect(await again(NONE, "kettle.json", "abc")).toEqual({ title: "x" });
});

test("what is no scenario is an error that names the file, every time, and is not remembered", async () => {
  const list = join(temp, "none.json");
  for (let time = 0; time < 2; time++) {
    await expect(scenarioReader(list)(NONE, "odd.json", "def")).rejects.toThrow(/^odd\.json/);
  }
  await expect(scenarioReader(list)("{", "cut.json", "ghi")).rejects.toThrow(/^cut\.json/);
});

test("a list that is none, or cannot be written, only costs a check", async () => {
  const list = join(temp, "broken.json");
  writeFileSync(list, "{");
  expect(await scenarioReader(list)(KETTLE, "kettle.json", "abc")).toMatchObject({ tools: [{ name: "boil" }] });
  const nowhere = join(list, "below a file");
  expect(await scenarioReader(nowhere)(KETTLE, "kettle.json", "abc")).toMatchObject({ tools: [{ name: "boil" }] });
});
