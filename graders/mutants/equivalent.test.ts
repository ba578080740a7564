import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entryFor, readEntries, staleEntries } from "./equivalent.ts";
import type { MutantKey } from "./mutate.ts";

const KEY: MutantKey = { operator: "push-to-unshift", was: "list.push(a);", is: "list.unshift(a);", occurrence: 1 };
const ENTRY = { exercises: ["2.3", "2.4"], ...KEY, verdict: "equivalent", reason: "The order of the results is free." };

const entries = readEntries({ mutants: [ENTRY] });
const mutant = (key: Partial<MutantKey> = {}) => ({ keys: [{ ...KEY, ...key }] as [MutantKey] });

test("a mutant is known by exercise, operator, both texts and occurrence", () => {
  expect(entryFor(entries, "2.3", mutant())).toEqual(ENTRY);
  expect(entryFor(entries, "2.4", mutant())).toEqual(ENTRY);
  expect(entryFor(entries, "2.5", mutant())).toBeNull();
  for (const other of [{ operator: "drop-await" }, { was: "" }, { is: "" }, { occurrence: 2 }]) {
    expect(entryFor(entries, "2.3", mutant(other))).toBeNull();
  }
});

test("any of a mutant's keys will do", () => {
  const keys = [{ ...KEY, operator: "an-earlier-one" }, KEY] as const;
  expect(entryFor(entries, "2.3", { keys })).toEqual(ENTRY);
});

test("an entry is stale where its mutant is gone, and where it is killed", () => {
  const made = new Map([
    ["2.3", []],
    ["2.4", [{ ...mutant(), survives: false }]],
  ]);
  expect(staleEntries(entries, made).map(({ exercise, why }) => [exercise, why])).toEqual([
    ["2.3", "gone"],
    ["2.4", "killed"],
  ]);
});

test("an entry is not stale where its mutant survives, or was not looked at", () => {
  const made = new Map([
    ["2.3", [{ ...mutant(), survives: true }]],
    ["2.4", [{ ...mutant(), survives: null }]],
  ]);
  expect(staleEntries(entries, made)).toEqual([]);
  expect(staleEntries(entries, new Map())).toEqual([]);
});

test("an entry needs a reason, a known verdict, and to be the only one", () => {
  expect(() => readEntries({ mutants: [{ ...ENTRY, reason: "" }] })).toThrow();
  expect(() => readEntries({ mutants: [{ ...ENTRY, verdict: "fine" }] })).toThrow();
  expect(() => readEntries({ mutants: [ENTRY, { ...ENTRY, exercises: ["2.4"] }] })).toThrow("Recorded twice");
});

test("the recorded file can be read", () => {
  const file = new URL("./equivalent.json", import.meta.url);
  expect(() => readEntries(JSON.parse(readFileSync(file, "utf8")))).not.toThrow();
});
