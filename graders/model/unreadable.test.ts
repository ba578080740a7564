import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { whyUnreadable } from "./unreadable.ts";

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', "no es JSON válido (línea 3, columna 3)", "it is not valid JSON (line 3, column 3)"],
  ['{\n  "a": 1', "no es JSON válido (línea 2, columna 9)", "it is not valid JSON (line 2, column 9)"],
  ["", "no es JSON válido", "it is not valid JSON"],
])("what is no JSON is told with its place, in both languages: %j", (text, es, en) => {
  expect(
    whyUnreadable(
      thrownBy(() => JSON.parse(text)),
      text,
    ),
  ).toEqual({ es, en });
});

test("a folder and a missing file are told as such", () => {
  const folder = mkdtempSync(join(tmpdir(), "bucle-unreadable-"));
  try {
    expect(whyUnreadable(thrownBy(() => readFileSync(folder))).en).toBe("it is a folder, not a file");
    expect(whyUnreadable(thrownBy(() => readFileSync(join(folder, "none")))).es).toBe("no existe");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("one that may not be read, and one that cannot be for a reason of its own", () => {
  expect(whyUnreadable(Object.assign(new Error("no"), { code: "EACCES" })).es).toBe("no tienes permiso para leerlo");
  expect(whyUnreadable(Object.assign(new Error("no"), { code: "EIO" })).en).toBe("it cannot be read (EIO)");
});
