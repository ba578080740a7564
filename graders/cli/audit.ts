/** `bucle audit`, past its options: settings read, the subject opened, the report printed. */
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type Audited, audit, behaviours } from "../audit/audit.ts";
import type { AuditReport } from "../audit/report.ts";
import { keepIgnored, readSettings, SETTINGS_FILE, type Settings, SettingsError } from "../audit/settings.ts";
import { openCommand, openFile, type Subject } from "../audit/subject.ts";
import { auditFormats, toAuditTerminal } from "../reports/audit/audit.ts";
import { cleanName } from "../reports/clean.ts";
import type { Lang, Text } from "../trace/text.ts";
import { checkLang, type Kit, look, seedOf, timeLimit, UsageError } from "./kit.ts";

/**
 * @param words the file, unless `--command` says what to run
 * @returns the exit code
 */
export async function run(kit: Kit, [file]: readonly string[], options: Options): Promise<number> {
  checkLang(options);
  const format = formatOf(options);
  const settings = settingsOf(options);
  const subject = await openTheSubject(kit, file, options, settings);
  const seed = seedOf(options);
  let audited: Audited;
  try {
    audited = await audit({ ...subject, kit: kit.version, seed, lang: kit.lang, settings });
  } finally {
    await subject.stage.close();
  }
  if (!audited.ok) throw new UsageError(withTools(audited, kit.lang, file !== undefined));
  const { report } = audited;
  const drawn = { lang: kit.lang, ...look(options), verbose: options.verbose === true };
  const text = format === null ? toAuditTerminal(report, drawn) : auditFormats[format]!(report, kit.lang);
  process.stdout.write(`${text}\n`);
  return exitCode(report);
}

/** 1 for whatever breaks or harms and is not accepted. */
export function exitCode({ behaviours }: AuditReport): number {
  const counts = behaviours.some(
    ({ status, severity, ignored }) => status === "fails" && severity !== "advice" && ignored === null,
  );
  return counts ? 1 : 0;
}

type Options = Readonly<Record<string, unknown>>;

function formatOf({ json, format }: Options): string | null {
  if (json === true) return "json";
  if (format === undefined) return null;
  if (typeof format === "string" && Object.hasOwn(auditFormats, format)) return format;
  const known = Object.keys(auditFormats).join(", ");
  throw new UsageError({
    es: `No hay formato \`${String(format)}\`. Los que hay: ${known}`,
    en: `There is no format \`${String(format)}\`. There are: ${known}`,
  });
}

/** `audit.json`, and over it what the command line says; what it ignores is kept there. */
function settingsOf(options: Options): Settings {
  const path = resolve(SETTINGS_FILE);
  try {
    const ignore = Object.fromEntries(list(options.ignore).map(ignored));
    if (Object.keys(ignore).length > 0) {
      readSettings(path); // one that cannot be read is told, not overwritten
      keepIgnored(path, ignore);
    }
    const kept = readSettings(path);
    return {
      ...kept,
      allowTools: [...kept.allowTools, ...list(options.allowTool)],
      ...(typeof options.stubTools === "string" ? { stubTools: options.stubTools } : {}),
      ...(typeof options.export === "string" ? { export: options.export } : {}),
      ...(options.maxCalls === undefined ? {} : { maxCalls: callsOf(options.maxCalls) }),
    };
  } catch (error) {
    if (error instanceof SettingsError) throw new UsageError(error.text);
    throw error;
  }
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value : [];
}

function ignored(text: string): [string, string] {
  const [id = "", ...reason] = text.split("=");
  const known = behaviours.some((behaviour) => behaviour.id === id);
  if (known && reason.join("=").trim() !== "") return [id, reason.join("=").trim()];
  const ids = behaviours.map((behaviour) => behaviour.id).join(", ");
  throw new UsageError({
    es: `\`--ignore ${text}\`: se escribe id=motivo, con un id de la tabla: ${ids}`,
    en: `\`--ignore ${text}\`: write id=reason, with an id of the table: ${ids}`,
  });
}

function callsOf(value: unknown): number {
  const calls = Number(value);
  if (Number.isInteger(calls) && calls >= 20 && calls <= 5000) return calls;
  throw new UsageError({
    es: "`--max-calls` es un número entero de 20 a 5000.",
    en: "`--max-calls` is a whole number from 20 to 5000.",
  });
}

async function openTheSubject(
  kit: Kit,
  file: string | undefined,
  options: Options,
  settings: Settings,
): Promise<Subject> {
  const { command } = options;
  if ((file === undefined) === (typeof command !== "string")) throw new UsageError(ONE_SUBJECT);
  if (typeof command === "string" && command.trim() === "") throw new UsageError(ONE_SUBJECT);
  const misplaced = ["export", "stubTools", "sandbox"].find((name) => options[name] !== undefined);
  if (typeof command === "string" && misplaced !== undefined) throw new UsageError(FOR_A_FILE(misplaced));
  if (typeof command === "string") return openCommand(command, { wallMs: timeLimit() ?? undefined });
  const path = file as string;
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new UsageError({
      es: `No existe el archivo \`${path}\`. Uso: npx bucle audit ruta/al/agente.ts`,
      en: `There is no file \`${path}\`. Usage: npx bucle audit path/to/agent.ts`,
    });
  }
  const opened = await openFile(path, {
    runtime: kit.runtime,
    exportName: settings.export,
    stubTools: settings.stubTools,
    sandboxed: options.sandbox === true,
    wallMs: timeLimit() ?? undefined,
  });
  if (opened.ok) return opened.value;
  throw new UsageError(opened.why);
}

const ONE_SUBJECT: Text = {
  es: "Di qué auditar: un archivo, o un programa con --command. Por ejemplo: npx bucle audit src/agent.ts",
  en: "Say what to audit: a file, or a program with --command. For example: npx bucle audit src/agent.ts",
};

const FOR_A_FILE = (option: string): Text => {
  const flag = `\`--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}\``;
  return {
    es: `${flag} es para un archivo: dentro del programa de \`--command\` no se puede entrar. Quítalo.`,
    en: `${flag} is for a file: what \`--command\` runs cannot be entered. Remove it.`,
  };
};

/** Why there is no report, and the tools that were seen: which of them may be run is for their owner to say. */
function withTools({ why, tools }: Extract<Audited, { ok: false }>, lang: Lang, isFile: boolean): Text {
  if (tools.kind !== "own") return why;
  const rows = tools.list.map(
    ({ name, dangerous }) => `  ${cleanName(name)}${dangerous ? `   ⚠ ${DANGEROUS[lang]}` : ""}`,
  );
  const how = HOW_TO_ALLOW(tools.list[0]?.name ?? "name", isFile);
  return {
    es: [why.es, ...rows, how.es].join("\n"),
    en: [why.en, ...rows, how.en].join("\n"),
  };
}

const DANGEROUS: Text = {
  es: "por su nombre, cambia, borra, gasta o envía algo",
  en: "by its name it changes, deletes, spends or sends something",
};

const HOW_TO_ALLOW = (name: string, isFile: boolean): Text => ({
  es: `Permite las que quieras con --allow-tool ${cleanName(name)} (se ejecutan de verdad, con datos inventados)${isFile ? ", o pon dobles en su lugar con --stub-tools <módulo de tus herramientas>" : ""}.`,
  en: `Allow those you want with --allow-tool ${cleanName(name)} (they are really run, with made-up input)${isFile ? ", or put stand-ins in their place with --stub-tools <module of your tools>" : ""}.`,
});
