import { expect, test } from "vitest";
import { code, count, cut, errorSaid, listed, names, times, wayOut } from "./words.ts";

test("times and counts are said as a person would", () => {
  expect([times(1), times(2), times(7)]).toEqual([
    { es: "1 vez", en: "once" },
    { es: "2 veces", en: "twice" },
    { es: "7 veces", en: "7 times" },
  ]);
  expect(count(1, ["respuesta", "respuestas"], ["reply", "replies"])).toEqual({ es: "1 respuesta", en: "1 reply" });
});

test("names are joined, each once, at most four", () => {
  expect(names(["a", "b", "a"])).toEqual({ es: "`a` y `b`", en: "`a` and `b`" });
  expect(listed(["`a` (1)", "`a` (2)", "`b` (3)"])).toEqual({
    es: "`a` (1), `a` (2) y `b` (3)",
    en: "`a` (1), `a` (2) and `b` (3)",
  });
  expect(names(["list", "invoices"]).es).toBe("`list` e `invoices`");
  expect(names(["a", "b", "c", "d", "e"]).en).toBe("`a`, `b`, `c`, `d` and 1 more");
});

test("what is quoted stays on one line, short, and inside its backticks", () => {
  expect(code("a `b`\n c")).toBe("`a 'b' c`");
  expect(code({ id: 4 })).toBe('`{"id":4}`');
  expect(cut("x".repeat(50), 10)).toHaveLength(10);
});

test("what was thrown is said by name and message, and by neither where it has none", () => {
  const said = (name: string, message: string) => errorSaid({ name, message, stack: [] }).en;
  expect(said("TypeError", "x is not a function")).toBe('`TypeError`: "x is not a function"');
  expect(said("Error", "")).toBe("`Error`, without a message");
  expect(said("", "null")).toBe('"null", which is no `Error`');
  expect(said("", "")).toBe("an empty text, which is no `Error`");
});

test("an error that nobody caught did not leave runAgent", () => {
  expect(wayOut({ kind: null }).en).toBe("left `runAgent`");
  expect(wayOut({ kind: "uncaught" }).en).toMatch(/^took the program down/);
});
