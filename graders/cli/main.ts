/** `bucle <verb>`: arguments in, exit code out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Argument, Command, CommanderError, Option } from "commander";
import { UnreadableProgress } from "../grading/progress.ts";
import { wrap } from "../reports/terminal/layout.ts";
import { dropSpare } from "../sandbox/spare.ts";
import type { Lang, Text } from "../trace/text.ts";
import { type Kit, UsageError } from "./kit.ts";
import { detectLang } from "./lang.ts";
import { COMMON } from "./options.ts";
import type { Verb, VerbOption } from "./verb.ts";

const verbs = Object.values(
  import.meta.glob<Verb>(["./verbs/*.ts", "!./verbs/*.test.ts"], { eager: true, import: "default" }),
);

export interface Installed {
  /** The kit's folder. */
  root: string;
  /** The bundled runtime of the sandbox. */
  runtime: string;
}

/**
 * @param args the words after `bucle`
 * @returns the exit code: 0 all that was asked passed, 1 something failed, 2 wrong usage, 3 our own error
 */
export async function main(args: readonly string[], installed: Installed): Promise<number> {
  // A reader that has seen enough (`| head`) is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const lang = detectLang(args, process.env);
  const version = (JSON.parse(readFileSync(join(installed.root, "package.json"), "utf8")) as { version: string })
    .version;
  const kit: Kit = { ...installed, version, lang };
  let code = 0;
  const program = speaking(new Command("bucle"), lang, COMMON)
    .description(SUMMARY[lang])
    .usage(USAGE[lang])
    .version(version, "-V, --version", VERSION[lang])
    .helpCommand(false);
  for (const verb of [...verbs].sort((a, b) => a.order - b.order)) {
    const command = speaking(program.command(verb.name), lang, [...(verb.options ?? []), ...COMMON])
      .description(verb.summary[lang])
      .usage([verb.argument?.syntax, OPTIONS[lang]].filter(Boolean).join(" "));
    if (verb.argument) command.argument(verb.argument.syntax, verb.argument.text[lang]);
    command.action(async (...given: unknown[]) => {
      const words = [given[0]].flat().filter((word) => typeof word === "string");
      code = await verb.run(kit, words, command.optsWithGlobals());
    });
  }
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.code === "commander.help") {
      // No verb: there is nothing to do, but much to say.
      process.stdout.write(program.helpInformation());
      return 2;
    }
    if (error instanceof CommanderError) return usage(error, lang === "es");
    if (error instanceof UsageError || error instanceof UnreadableProgress) {
      const text = error instanceof UsageError ? error.text : unreadable(error.file);
      // A file or a pipe gets the path whole; a terminal would break it in the middle of a word.
      const rows = process.stderr.isTTY ? wrap(text[lang], process.stderr.columns) : [text[lang]];
      process.stderr.write(`${rows.join("\n")}\n`);
      return 2;
    }
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${OUR_ERROR[lang]}\n${reason}\n`);
    return 3;
  } finally {
    // The launcher started a child before it could know whether the verb would want one.
    dropSpare();
  }
}

/** A command that tells its help in one language, and its errors to us. */
function speaking(command: Command, lang: Lang, options: readonly VerbOption[]): Command {
  for (const { flags, value, repeat, text } of options) {
    const option = new Option(value ? `${flags} <${value[lang]}>` : flags, text[lang]);
    if (repeat) option.argParser((next: string, before: string[] = []) => [...before, next]);
    command.addOption(option);
  }
  return command
    .helpOption("-h, --help", HELP[lang])
    .configureHelp({
      styleTitle: (title) => TITLES[lang][title] ?? title,
      subcommandTerm: (verb) => [verb.name(), ...verb.registeredArguments.map(argumentTerm)].join(" "),
    })
    .configureOutput({ writeErr: () => {} })
    .exitOverride();
}

function argumentTerm(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

function unreadable(file: string): Text {
  return {
    es: `No se puede leer tu avance: ${file} está dañado.\nCambia el nombre de ese archivo y repite la orden: se empieza otro, y tus ejercicios siguen como están.`,
    en: `Your progress cannot be read: ${file} is damaged.\nRename that file and run the command again: a new one is begun, and your exercises stay as they are.`,
  };
}

function usage(error: CommanderError, spanish: boolean): number {
  if (error.exitCode === 0) return 0;
  const about = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  const suggestion = /Did you mean ([^?]*)\?/.exec(error.message)?.[1];
  const says: Record<string, Text> = {
    "commander.unknownCommand": {
      es: `No conozco la orden \`${about}\`.`,
      en: `I do not know the command \`${about}\`.`,
    },
    "commander.unknownOption": {
      es: `No conozco la opción \`${about}\`.`,
      en: `I do not know the option \`${about}\`.`,
    },
    "commander.optionMissingArgument": {
      es: `A la opción \`${about}\` le falta su valor.`,
      en: `The option \`${about}\` needs a value.`,
    },
    "commander.excessArguments": { es: "Sobran palabras en la orden.", en: "There are too many words in the command." },
    "commander.missingArgument": { es: `Falta \`${about}\`.`, en: `\`${about}\` is missing.` },
  };
  const text = says[error.code] ?? { es: error.message, en: error.message };
  const meant = suggestion ? (spanish ? ` ¿Querías decir \`${suggestion}\`?` : ` Did you mean \`${suggestion}\`?`) : "";
  const help = spanish ? "Ayuda: `npx bucle --help`" : "Help: `npx bucle --help`";
  process.stderr.write(`${spanish ? text.es : text.en}${meant}\n${help}\n`);
  return 2;
}

const SUMMARY: Text = {
  es: "Aprende a escribir a mano el bucle de un agente.",
  en: "Learn to write the agent loop by hand.",
};
const USAGE: Text = { es: "<orden> [opciones]", en: "<command> [options]" };
const OPTIONS: Text = { es: "[opciones]", en: "[options]" };
const VERSION: Text = { es: "muestra la versión", en: "show the version" };
const HELP: Text = { es: "muestra esta ayuda", en: "show this help" };
const OUR_ERROR: Text = {
  es: "Falló Bucle, no tu código. Repite la orden; si vuelve a pasar, envía este texto a quien lo mantiene:",
  en: "Bucle failed, not your code. Run the command again; if it happens again, send this text to its maintainers:",
};
const TITLES: Record<"es" | "en", Record<string, string>> = {
  es: { "Usage:": "Uso:", "Options:": "Opciones:", "Commands:": "Órdenes:", "Arguments:": "Argumentos:" },
  en: {},
};
