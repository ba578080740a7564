/** What is audited: a file with a loop, or a program, made ready to be played. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve } from "node:path";
import { compile } from "../sandbox/compile/compile.ts";
import type { Program, Refusal } from "../sandbox/compile/program.ts";
import { compileProject } from "../sandbox/compile/project.ts";
import { takeIn } from "../sandbox/intake.ts";
import { runtimeUrl } from "../sandbox/spawn.ts";
import type { Text } from "../trace/text.ts";
import { commandStage } from "./stage/command.ts";
import { fileStage, findLoop } from "./stage/file.ts";
import type { Stage } from "./stage/stage.ts";

export interface Subject {
  stage: Stage;
  /** As it is named in the report. */
  subject: string;
  /** It runs tools through `#harness`: then the kit's own are played. */
  usesHarness: boolean;
  /** Its own tools have stand-ins. */
  stubbed: boolean;
}

export interface FileOptions {
  runtime: string;
  /** Name of the exported loop; found when left out. */
  exportName?: string | undefined;
  /** Path of the module whose functions get stand-ins; not by a student's rules. */
  stubTools?: string | undefined;
  /** By a student's rules: their imports, their sandbox. */
  sandboxed: boolean;
  wallMs?: number | undefined;
}

export type Opened = { ok: true; value: Subject } | { ok: false; why: Text };

/** Opens a file with a loop. It must be there. */
export async function openFile(file: string, options: FileOptions): Promise<Opened> {
  const path = resolve(file);
  const made = options.sandboxed ? await submission(path, options) : await project(path, options);
  if (!made.ok) return { ok: false, why: tell(made.refusal) };
  const { program, usesHarness } = made;
  const entry = options.exportName ?? findLoop(program.exports, readFileSync(path, "utf8"));
  if (entry === null || !program.exports.includes(entry)) {
    return { ok: false, why: whichExport(file, options.exportName, program.exports) };
  }
  const stage = fileStage({
    program,
    entry,
    runtime: options.runtime,
    cwd: options.sandboxed ? null : projectRoot(path),
    ...(options.wallMs === undefined ? {} : { wallMs: options.wallMs }),
  });
  return {
    ok: true,
    value: { stage, subject: file, usesHarness, stubbed: options.stubTools !== undefined },
  };
}

type Made = { ok: true; program: Program; usesHarness: boolean } | { ok: false; refusal: Refusal };

async function project(path: string, { runtime, stubTools }: FileOptions): Promise<Made> {
  // Files are named as one would type them here, where that can be done.
  const here = process.cwd();
  const root = isBelow(here, path) ? here : projectRoot(path);
  const compiled = await compileProject(path, { runtimeUrl: runtimeUrl(runtime), root, stub: stubTools ?? null });
  if (!compiled.ok) return compiled;
  // Else its own tools would be run, by someone who asked that they be not.
  if (stubTools !== undefined && !compiled.value.stubbed) return { ok: false, refusal: notStubbed(path, stubTools) };
  return { ok: true, program: compiled.value, usesHarness: compiled.value.usesHarness };
}

async function submission(path: string, { runtime }: FileOptions): Promise<Made> {
  const taken = await takeIn(dirname(path), parse(path).base);
  if (!taken.ok) return taken;
  const compiled = await compile(taken.value, { runtimeUrl: runtimeUrl(runtime) });
  if (!compiled.ok) return compiled;
  const usesHarness = taken.value.files.some(({ text }) => /["']#harness["']/.test(text));
  return { ok: true, program: compiled.value, usesHarness };
}

function notStubbed(path: string, module: string): Refusal {
  const { base } = parse(path);
  const isItself = resolve(module) === path;
  const isThere = existsSync(resolve(module));
  return {
    headline: { es: "Las herramientas no se pueden sustituir.", en: "The tools cannot be replaced." },
    detail: isItself
      ? {
          es: `\`--stub-tools\` nombra el archivo del propio bucle, y un doble no puede separar lo uno de lo otro.`,
          en: `\`--stub-tools\` names the file of the loop itself, and stand-ins cannot tell the one from the other.`,
        }
      : {
          es: isThere
            ? `${base} no importa \`${module}\`, ni directamente ni a través de otro archivo.`
            : `No existe el archivo \`${module}\`.`,
          en: isThere
            ? `${base} does not import \`${module}\`, neither itself nor through another file.`
            : `There is no file \`${module}\`.`,
        },
    next: isItself
      ? {
          es: "Lleva las herramientas a un módulo aparte y nómbralo, o permite algunas con --allow-tool.",
          en: "Move the tools to a module of their own and name that, or allow some with --allow-tool.",
        }
      : {
          es: "Nombra el archivo donde están las funciones de tus herramientas, por su ruta desde esta carpeta.",
          en: "Name the file that holds the functions of your tools, by its path from this folder.",
        },
    at: null,
  };
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}

/** The nearest folder above with a package.json: where the project's own paths begin. */
function projectRoot(path: string): string {
  let folder = dirname(path);
  while (!existsSync(join(folder, "package.json"))) {
    const above = dirname(folder);
    if (above === folder) return dirname(path);
    folder = above;
  }
  return folder;
}

function tell({ headline, detail, next, at }: Refusal): Text {
  const place = at ? ` (${at.file}:${at.line})` : "";
  return {
    es: `${headline.es}${place} ${detail.es} ${next.es}`,
    en: `${headline.en}${place} ${detail.en} ${next.en}`,
  };
}

function whichExport(file: string, asked: string | undefined, names: readonly string[]): Text {
  const name = relative(process.cwd(), resolve(file)) || file;
  const list = names.map((each) => `\`${each}\``).join(", ");
  if (names.length === 0) {
    return {
      es: `${name} no exporta nada: exporta la función de tu bucle, la que recibe (userInput, tools).`,
      en: `${name} exports nothing: export your loop's function, the one that takes (userInput, tools).`,
    };
  }
  return asked === undefined
    ? {
        es: `No se sabe cuál de las exportaciones de ${name} es el bucle: ${list}. Dilo con --export.`,
        en: `Which export of ${name} is the loop cannot be told: ${list}. Say it with --export.`,
      }
    : {
        es: `${name} no exporta \`${asked}\`, sino ${list}.`,
        en: `${name} does not export \`${asked}\`, but ${list}.`,
      };
}

/**
 * Opens a program in any language, by the command that starts it. What it does is only known once it is played.
 * @param wallMs wall-clock limit of one conversation
 */
export function openCommand(command: string, { wallMs }: { wallMs?: number | undefined } = {}): Subject {
  return { stage: commandStage({ command, wallMs }), subject: command, usesHarness: false, stubbed: false };
}
