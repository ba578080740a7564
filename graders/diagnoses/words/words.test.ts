import { expect, test } from "vitest";
import { code, count, cut, names, times } from "./words.ts";

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
  expect(names(["list", "invoices"]).es).toBe("`list` e `invoices`");
  expect(names(["a", "b", "c", "d", "e"]).en).toBe("`a`, `b`, `c`, `d` and 1 more");
});

test("what is quoted stays on one line, short, and inside its backticks", () => {
  expect(code("a `b`\n c")).toBe("`a 'b' c`");
  expect(code({ id: 4 })).toBe('`{"id":4}`');
  expect(cut("x".repeat(50), 10)).toHaveLength(10);
});
