/** What an audit is told beside the file: from `audit.json` in the current folder, and from the command line. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { formatPath, problemOf } from "../model/issue.ts";
import { whyUnreadable } from "../model/unreadable.ts";
import type { Text } from "../trace/text.ts";

/** As many model calls as a never-ending conversation is given, unless told otherwise. */
export const MAX_CALLS = 250;
export const FEWEST_CALLS = 20;
export const MOST_CALLS = 5000;

export const SETTINGS_FILE = "audit.json";

const file = z.strictObject({
  $schema: z.string().optional(),
  ignore: z
    .record(z.string(), z.string().trim().min(1))
    .describe("Behaviours whose failure is accepted, each with the reason.")
    .default({}),
  inputs: z
    .record(z.string(), z.array(z.record(z.string(), z.json())).min(1))
    .describe("For each tool: the inputs the model calls it with, in this order, round and round.")
    .default({}),
  allowTools: z.array(z.string()).describe("Tools of your own that the audit may really run.").default([]),
  leaveTools: z.array(z.string()).describe("Tools that the model does not ask for in the audit.").default([]),
  stubTools: z
    .string()
    .describe("Module of your tools: stand-ins take the place of its functions, and nothing of yours is run.")
    .optional(),
  maxCalls: z
    .int()
    .min(FEWEST_CALLS)
    .max(MOST_CALLS)
    .describe("Most model calls of the never-ending conversation.")
    .default(MAX_CALLS),
  export: z.string().describe("Name of the exported loop.").optional(),
});

export type Settings = z.infer<typeof file>;

export class SettingsError extends Error {
  readonly text: Text;
  constructor(text: Text) {
    super(text.en);
    this.text = text;
  }
}

/**
 * Reads `audit.json`.
 * @returns the defaults when there is none
 * @throws {SettingsError} when it cannot be read, is no JSON, or holds what it may not: it names the field
 */
export function readSettings(path: string): Settings {
  if (!existsSync(path)) return file.parse({});
  const json = jsonOf(path);
  const parsed = file.safeParse(json);
  if (parsed.success) return parsed.data;
  const { path: at, says } = problemOf(json, parsed.error.issues[0]!);
  throw settingsError(path, formatPath(at), {
    es: `${says.es}. Corrígelo o quítalo.`,
    en: `${says.en}. Correct it or remove it.`,
  });
}

/** What is wrong in `audit.json`. @param field where; empty for the whole */
export function settingsError(path: string, field: string, says: Text): SettingsError {
  return new SettingsError({
    es: `${path}${field && `, en \`${field}\``}: ${says.es}`,
    en: `${path}${field && `, at \`${field}\``}: ${says.en}`,
  });
}

/** Without the mark that some editors put first. */
function textIn(path: string): string {
  return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
}

function jsonOf(path: string): unknown {
  let text = "";
  try {
    text = textIn(path);
    return JSON.parse(text);
  } catch (error) {
    const why = whyUnreadable(error, text);
    throw settingsError(path, "", {
      es: `${why.es}. ${error instanceof SyntaxError ? "Corrígelo o quítalo" : "Quítalo de ahí, o cambia de carpeta"}.`,
      en: `${why.en}. ${error instanceof SyntaxError ? "Correct it or remove it" : "Take it away, or go to another folder"}.`,
    });
  }
}

/** Adds accepted failures to `audit.json`; all else in it stays as it is. @throws {SettingsError} where it cannot be written */
export function keepIgnored(path: string, ignore: Readonly<Record<string, string>>): void {
  const before = existsSync(path) ? (JSON.parse(textIn(path)) as Record<string, unknown>) : {};
  const next = { ...before, ignore: { ...(before.ignore as object | undefined), ...ignore } };
  const fresh = `${path}.${process.pid}.new`;
  try {
    writeFileSync(fresh, `${JSON.stringify(next, null, 2)}\n`);
    renameSync(fresh, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError({
      es: `No se puede escribir ${path} (${code}): lo que se acepta con --ignore queda ahí. Escríbelo tú, o cambia de carpeta.`,
      en: `${path} cannot be written (${code}): what --ignore accepts is kept there. Write it yourself, or go to another folder.`,
    });
  }
}
