import { expect, test } from "vitest";
import { toError, toPlain } from "./value.ts";

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

class Incomplete extends Error {}
class Named extends Error {
  override name = "GaveUp";
}

test.each<[string, unknown, string]>([
  ["a class that sets no name", new Incomplete("half done"), "Incomplete"],
  ["a class that sets one", new Named("half done"), "GaveUp"],
  ["one of a class without a name", new (class extends Error {})("half done"), "Error"],
  ["a plain error", new Error("half done"), "Error"],
  ["an error of the language", new TypeError("half done"), "TypeError"],
  [
    "a name that a compiler changed",
    new { _Incomplete: class extends Error {} }._Incomplete("half done"),
    "Incomplete",
  ],
  ["a class that cannot be read", Object.defineProperty(new Error("half done"), "constructor", { get: trap }), "Error"],
  ["no error", { message: "half done" }, ""],
])("an error goes by the name it was given, else by its class's: %s", (_what, thrown, name) => {
  expect(toError(thrown)).toMatchObject({ name, message: "half done" });
});
