import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { widthOf } from "./layout.ts";
import { toList } from "./list.ts";

const GROUPS = [
  { title: "Lección 2", entries: [["busy-loop", "Un bucle gira sin soltar el procesador"]] },
  { title: "Lección 3", entries: [["no-iteration-cap", "Un bucle sin tope"]] },
] as const;
const WIDE = { lang: "es", colour: false, columns: 80 } as const;

test("names stand in one column over all groups", () => {
  expect(toList("Diagnósticos", GROUPS, WIDE).split("\n")).toEqual([
    "Diagnósticos",
    "",
    "Lección 2",
    "  busy-loop         Un bucle gira sin soltar el procesador",
    "",
    "Lección 3",
    "  no-iteration-cap  Un bucle sin tope",
  ]);
});

test("where there is no room beside its name, a text goes below it, and no row is too wide", () => {
  const rows = toList("Diagnósticos", GROUPS, { ...WIDE, columns: 40 }).split("\n");
  expect(rows.slice(3, 6)).toEqual(["  busy-loop", "    Un bucle gira sin soltar el", "    procesador"]);
  expect(rows.filter((row) => widthOf(row) > 40)).toEqual([]);
});

test("colour changes nothing but colour", () => {
  for (const columns of [40, 80]) {
    const coloured = toList("Diagnósticos", GROUPS, { ...WIDE, columns, colour: true });
    const plain = toList("Diagnósticos", GROUPS, { ...WIDE, columns });
    expect(coloured).not.toBe(plain);
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  }
});
