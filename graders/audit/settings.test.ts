import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Text } from "../trace/text.ts";
import { keepIgnored, readSettings, SettingsError } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "bucle-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "audit.json");

function refusal(path: string): Text {
  try {
    readSettings(path);
  } catch (error) {
    if (error instanceof SettingsError) return error.text;
    throw error;
  }
  throw new Error("it was read");
}

test.each<[text: string, es: string, en: string]>([
  ["[]", ": debe ser un objeto, y es una lista.", ": it must be an object, and is a list."],
  ["null", ": debe ser un objeto, y es `null`.", ": it must be an object, and is `null`."],
  ['{ "maxCalls": 3 }', ", en `maxCalls`: debe ser 20 o más.", ", at `maxCalls`: it must be 20 or more."],
  ['{ "maxCalls": 9e3 }', ", en `maxCalls`: debe ser 5000 o menos.", ", at `maxCalls`: it must be 5000 or less."],
  [
    '{ "ignore": { "rounds": " " } }',
    "`ignore.rounds`: no puede quedar vacío.",
    "`ignore.rounds`: it must not be empty.",
  ],
  ['{ "allowTool": [] }', ": aquí no hay ningún campo `allowTool`.", ": there is no field `allowTool` here."],
  ['{ "inputs": { "a": {} } }', "`inputs.a`: debe ser una lista, y es", "`inputs.a`: it must be a list, and is"],
  ['{\n  "maxCalls": 20,\n}', "no es JSON válido (línea 3, columna 1).", "it is not valid JSON (line 3, column 1)."],
])("what audit.json may not hold is told in both languages: %s", (text, es, en) => {
  writeFileSync(file, text);
  const told = refusal(file);
  expect(told.es).toContain(`${file}${es.startsWith("`") ? ", en " : es.startsWith("no es") ? ": " : ""}${es}`);
  expect(told.en).toContain(`${file}${en.startsWith("`") ? ", at " : en.startsWith("it is not") ? ": " : ""}${en}`);
});

test("an audit.json that is a folder is told as such", () => {
  const path = join(folder, "folder.json");
  mkdirSync(path);
  expect(refusal(path).es).toBe(`${path}: es una carpeta, no un archivo. Quítalo de ahí, o cambia de carpeta.`);
});

test("an audit.json that begins with a BOM, as some editors write it, is read and added to", () => {
  writeFileSync(file, '\uFEFF{ "ignore": { "rounds": "known" } }');
  expect(readSettings(file).ignore).toEqual({ rounds: "known" });
  keepIgnored(file, { refusal: "known" });
  expect(readSettings(file).ignore).toEqual({ rounds: "known", refusal: "known" });
});
