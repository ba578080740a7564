import { expect, test } from "vitest";
import { fillJson, fillText, hasStrayBraces, localiseJson, placeholders } from "./template.ts";

test("names between double braces are found, repeated ones too", () => {
  expect(placeholders("{{a}} and {{b}} and {{a}}; {c}")).toEqual(["a", "b", "a"]);
});

test("braces that hold no name are noticed", () => {
  expect(hasStrayBraces("{{a}} {b}")).toBe(false);
  for (const text of ["{{ a }}", "{{a", "a}}", "{{a-b}}"]) expect(hasStrayBraces(text), text).toBe(true);
});

test("values are filled in once and not read again", () => {
  expect(fillText("{{a}}-{{b}}-{{c}}", { a: "{{b}}", b: 7 })).toBe("{{b}}-7-{{c}}");
});

test("a string that is nothing but a name becomes the value itself, also a number", () => {
  expect(fillJson({ n: "{{n}}", text: "n={{n}}", list: ["{{n}}", true, null] }, { n: 3 })).toEqual({
    n: 3,
    text: "n=3",
    list: [3, true, null],
  });
});

test("a pair of translations becomes the one, anything else stays", () => {
  const value = { a: { es: "sí", en: "yes" }, b: [{ es: "no", en: "no", fr: "non" }], c: { es: 1, en: 2 } };
  expect(localiseJson(value, "es")).toEqual({ a: "sí", b: [{ es: "no", en: "no", fr: "non" }], c: { es: 1, en: 2 } });
});
