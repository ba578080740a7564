import { expect, test } from "vitest";
import { toPlain } from "./value.ts";

const trap = () => {
  throw new Error("trap");
};

test.each<[string, unknown, unknown]>([
  [
    "a getter that throws",
    {
      text: "Fine.",
      get usage() {
        return trap();
      },
    },
    { text: "Fine.", usage: "[unreadable]" },
  ],
  ["a Proxy that does not tell its keys", new Proxy({}, { ownKeys: trap }), "[unreadable]"],
  ["a Proxy that tells nothing, in a list", [1, new Proxy({}, { getPrototypeOf: trap }), 2], [1, "[unreadable]", 2]],
  ["one that gives no value", { all: new Proxy({ a: 1 }, { get: trap }) }, { all: { a: "[unreadable]" } }],
  ["a promise", { later: Promise.resolve(1) }, { later: "[object Promise]" }],
  ["plain data", { a: [1, "b", null], c: { d: true } }, { a: [1, "b", null], c: { d: true } }],
])("whatever is returned can be told: %s", (_what, value, plain) => {
  expect(toPlain(value)).toEqual(plain);
});

test("what comes after a part that cannot be read is still there, and a part met twice no cycle", () => {
  const part = { x: 1 };
  const value = { broken: new Proxy(part, { ownKeys: trap }), first: part, second: part };
  expect(toPlain(value)).toEqual({ broken: "[unreadable]", first: part, second: part });
});
