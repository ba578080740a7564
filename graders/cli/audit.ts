/** `bucle audit`, past its options: settings read, the subject opened, the report printed. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { type Audited, audit, behaviours } from "../audit/audit.ts";
import type { AuditReport } from "../audit/report.ts";
import {
  FEWEST_CALLS,
  keepIgnored,
  MOST_CALLS,
  readSettings,
  SETTINGS_FILE,
  type Settings,
  SettingsError,
  settingsError,
} from "../audit/settings.ts";
import { openCommand, openFile, type Subject } from "../audit/subject.ts";
import { auditFormats, toAuditTerminal } from "../reports/audit/audit.ts";
import { clean, cleanName } from "../reports/clean.ts";
import type { Lang, Text } from "../trace/text.ts";
import { checkLang, type Kit, look, seedOf, timeLimit, UsageError } from "./kit.ts";
import { nearest } from "./nearest.ts";
import { progressOn } from "./progress.ts";
import { shellWord } from "./shell-word.ts";

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
  const progress = format === null ? progressOn(process.stderr, kit.lang, behaviours.length) : null;
  let audited: Audited;
  try {
    const named = [...list(options.allowTool), ...list(options.leaveTool)];
    const more = progress === null ? {} : { onRow: progress.step };
    audited = await audit({ ...subject, ...more, kit: kit.version, seed, lang: kit.lang, settings, named });
  } finally {
    progress?.end();
    await subject.stage.close();
  }
  if (!audited.ok) throw new UsageError(withTools(audited, kit.lang, file !== undefined));
  const { report } = audited;
  const stray = strayTools(settings, report);
  const notes = stray === null ? audited.notes : [...audited.notes, stray];
  for (const note of notes) process.stderr.write(`${clean(note[kit.lang])}\n`);
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
  if (json === true && format !== undefined) throw new UsageError(ONE_FORMAT);
  if (json === true) return "json";
  if (format === undefined) return null;
  if (typeof format === "string" && Object.hasOwn(auditFormats, format)) return format;
  const known = Object.keys(auditFormats).join(", ");
  throw new UsageError({
    es: `No hay formato \`${String(format)}\`. Los que hay: ${known}`,
    en: `There is no format \`${String(format)}\`. There are: ${known}`,
  });
}

const ONE_FORMAT: Text = {
  es: "`--json` y `--format` piden dos formatos, y solo puede salir uno. Quita uno de los dos.",
  en: "`--json` and `--format` ask for two formats, and only one can be printed. Leave out one of them.",
};

/** `audit.json`, and over it what the command line says; what it ignores is kept there. */
function settingsOf(options: Options): Settings {
  try {
    const ignore = Object.fromEntries(list(options.ignore).map(ignored));
    const kept = keptSettings(); // one that cannot be read is told, not overwritten
    const settings = {
      ...kept,
      ignore: { ...kept.ignore, ...ignore },
      allowTools: [...kept.allowTools, ...list(options.allowTool)],
      leaveTools: [...kept.leaveTools, ...list(options.leaveTool)],
      ...(typeof options.stubTools === "string" ? { stubTools: options.stubTools } : {}),
      ...(typeof options.export === "string" ? { export: options.export } : {}),
      ...(options.maxCalls === undefined ? {} : { maxCalls: callsOf(options.maxCalls) }),
    };
    if (Object.keys(ignore).length > 0) keepIgnored(SETTINGS_FILE, ignore);
    return settings;
  } catch (error) {
    if (error instanceof SettingsError) throw new UsageError(error.text);
    throw error;
  }
}

/** What `audit.json` in this folder says, every behaviour that it accepts being one there is. */
function keptSettings(): Settings {
  const kept = readSettings(SETTINGS_FILE);
  const ids = behaviours.map(({ id }) => id);
  const unknown = Object.keys(kept.ignore).find((id) => !ids.includes(id));
  if (unknown === undefined) return kept;
  const [meant] = nearest(unknown, ids, 1);
  throw settingsError(SETTINGS_FILE, `ignore.${unknown}`, {
    es: `no hay comportamiento con ese id.${meant ? ` ¿Querías decir \`${meant}\`?` : ""} Los que hay: ${ids.join(", ")}`,
    en: `there is no behaviour with that id.${meant ? ` Did you mean \`${meant}\`?` : ""} There are: ${ids.join(", ")}`,
  });
}

/** Tools that `audit.json` names and this loop does not offer: another loop's, or a slip. */
function strayTools({ allowTools, leaveTools, inputs }: Settings, { tools }: AuditReport): Text | null {
  const offered = tools.list.map(({ name }) => name);
  const stray = [...new Set([...allowTools, ...leaveTools, ...Object.keys(inputs)])].filter(
    (name) => !offered.includes(name),
  );
  if (stray.length === 0) return null;
  const names = stray.map((name) => `\`${cleanName(name)}\``).join(", ");
  return {
    es: `${SETTINGS_FILE} nombra herramientas que este bucle no ofrece al modelo: ${names}. No se tuvieron en cuenta.`,
    en: `${SETTINGS_FILE} names tools that this loop does not offer the model: ${names}. They were left aside.`,
  };
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
  if (Number.isInteger(calls) && calls >= FEWEST_CALLS && calls <= MOST_CALLS) return calls;
  throw new UsageError({
    es: `\`--max-calls\` es un número entero de ${FEWEST_CALLS} a ${MOST_CALLS}.`,
    en: `\`--max-calls\` is a whole number from ${FEWEST_CALLS} to ${MOST_CALLS}.`,
  });
}

async function openTheSubject(
  kit: Kit,
  file: string | undefined,
  options: Options,
  settings: Settings,
): Promise<Subject> {
  const { command } = options;
  if (file !== undefined && command !== undefined) throw new UsageError(NOT_BOTH);
  if (file === undefined && typeof command !== "string") throw new UsageError(ONE_SUBJECT);
  if (typeof command === "string" && command.trim() === "") throw new UsageError(ONE_SUBJECT);
  const misplaced = ["export", "stubTools", "sandbox"].find((name) => options[name] !== undefined);
  if (typeof command === "string" && misplaced !== undefined) throw new UsageError(FOR_A_FILE(misplaced));
  if (typeof command === "string") return openCommand(command, { wallMs: timeLimit() ?? undefined });
  const path = file as string;
  checkIsFile(path);
  if (options.sandbox === true && settings.stubTools !== undefined) throw new UsageError(NO_STAND_INS);
  if (settings.stubTools !== undefined && list(options.allowTool).length > 0) throw new UsageError(NOTHING_TO_ALLOW);
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

function checkIsFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  const starts = STARTED_BY[extname(path).toLowerCase()];
  if (found?.isFile() && starts !== undefined) throw new UsageError(NO_MODULE(path, starts));
  if (found?.isFile()) return;
  if (!found?.isDirectory()) {
    throw new UsageError({
      es: `No existe el archivo \`${path}\`. Uso: npx bucle audit ruta/al/agente.ts`,
      en: `There is no file \`${path}\`. Usage: npx bucle audit path/to/agent.ts`,
    });
  }
  const likely = likelyIn(path);
  throw new UsageError({
    es: `\`${path}\` es una carpeta: di en qué archivo está la función de tu bucle${likely ? `. ¿Es este? npx bucle audit ${shellWord(likely)}` : ", por ejemplo npx bucle audit src/agent.ts"}`,
    en: `\`${path}\` is a folder: say which file holds your loop's function${likely ? `. Is it this one? npx bucle audit ${shellWord(likely)}` : ", for example npx bucle audit src/agent.ts"}`,
  });
}

/** A file in a folder, or in its `src`, that has a usual name of a loop's; null when there is none. */
function likelyIn(folder: string): string | null {
  for (const within of [folder, join(folder, "src")]) {
    const files = existsSync(within) ? readdirSync(within) : [];
    for (const name of LIKELY) {
      const file = files.find((each) => new RegExp(`^${name}\\.[cm]?[jt]sx?$`).test(each));
      if (file !== undefined) return join(within, file).replaceAll("\\", "/");
    }
  }
  return null;
}

const LIKELY = ["agent", "loop", "main", "index"];

/** What starts a program that is no JavaScript. */
const STARTED_BY: Readonly<Record<string, string>> = {
  ".py": "python3",
  ".rb": "ruby",
  ".php": "php",
  ".go": "go run",
  ".java": "java",
  ".sh": "sh",
};

const NO_MODULE = (path: string, starts: string): Text => {
  const example = `npx bucle audit --command "${starts} ${shellWord(path, "'")}"`;
  return {
    es: `\`${path}\` no es JavaScript ni TypeScript: se audita como programa, que lee el texto por stdin. Por ejemplo: ${example}`,
    en: `\`${path}\` is neither JavaScript nor TypeScript: it is audited as a program, which reads the prompt from stdin. For example: ${example}`,
  };
};

const NOT_BOTH: Text = {
  es: "Un archivo y `--command` son dos cosas que auditar, y solo puede ser una. Quita una de las dos.",
  en: "A file and `--command` are two things to audit, and it can only be one, not both. Leave out one of them.",
};

const ONE_SUBJECT: Text = {
  es: "Di qué auditar: un archivo, o un programa con --command. Por ejemplo: npx bucle audit src/agent.ts",
  en: "Say what to audit: a file, or a program with --command. For example: npx bucle audit src/agent.ts",
};

const NO_STAND_INS: Text = {
  es: "Con `--sandbox` no hay dobles de herramientas: quita `--sandbox`, o `--stub-tools` (`stubTools`, en audit.json).",
  en: "With `--sandbox` there are no stand-ins for tools: leave out `--sandbox`, or `--stub-tools` (`stubTools`, in audit.json).",
};

const NOTHING_TO_ALLOW: Text = {
  es: "Con dobles no se ejecuta ninguna herramienta tuya, así que `--allow-tool` no tiene qué permitir: quítalo, o quita `--stub-tools` (`stubTools`, en audit.json). Para que el modelo no pida alguna: `--leave-tool`.",
  en: "With stand-ins no tool of yours is run, so there is nothing for `--allow-tool` to allow: leave it out, or leave out `--stub-tools` (`stubTools`, in audit.json). To keep the model from asking for one: `--leave-tool`.",
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
  if (tools.kind !== "own") return { es: clean(why.es), en: clean(why.en) };
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
