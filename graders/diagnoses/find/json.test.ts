import { expect, test } from "vitest";
import { rememberList, stable, toJson } from "./json.ts";

test("the order of keys makes no difference", () => {
  expect(stable({ b: [{ d: 1, c: 2 }], a: 0 })).toBe(stable({ a: 0, b: [{ c: 2, d: 1 }] }));
  expect(stable({ a: [1, 2] })).not.toBe(stable({ a: [2, 1] }));
});

test("what is nested too deep for JSON is still told", () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(toJson(deep)).toBe('"…"');
});

test("a list that has grown is read again, one that has not is not", () => {
  let reads = 0;
  const sum = rememberList((list: readonly number[]) => {
    reads++;
    return list.reduce((a, b) => a + b, 0);
  });
  const list = [1, 2];
  expect([sum(list), sum(list), reads]).toEqual([3, 3, 1]);
  list.push(4);
  expect([sum(list), reads]).toEqual([7, 2]);
});
