/** A student's folder to texts in memory: what is read, what is refused, and nothing that could lead out of the folder. */
import type { Dirent, Stats } from "node:fs";
import { constants, lstat, open, opendir } from "node:fs/promises";
import { join } from "node:path";
import type { Text } from "../trace/text.ts";
import type { Refusal, Result } from "./compile/program.ts";
import { quoted } from "./compile/wording.ts";

/** A submission's code. Names are relative to its folder, with `/`. */
export interface Submission {
  /** Name of the file with the loop; the first of `files`. */
  entry: string;
  files: { name: string; text: string }[];
  /** Files (or folders) that are not taken, and why: it matters only if something imports them. */
  refused: { name: string; why: Text }[];
}

const ENTRIES = ["agent.ts", "agent.mts", "agent.js", "agent.mjs"];
const CODE = /\.(ts|mts|js|mjs|json)$/;
/** Beside the code of an exercise, and none of it. */
const NOT_CODE =
  /^(answers\.json|.*\.schema\.json|package(-lock)?\.json|tsconfig.*\.json|readme.*|node_modules|\..*)$/i;
const SEGMENT = /^[A-Za-z0-9_][\w.() -]*$/;

const MAX_BYTES = 64 * 1024;
const MAX_FILES = 20;
/** Segments of a name. */
const MAX_DEPTH = 4;
/** Directory entries looked at: enough for any exercise, few enough for a folder made to be endless. */
const MAX_ENTRIES = 2000;

/**
 * Reads the folder of one exercise.
 * @param named the file with the loop, where it is not called `agent`
 * @returns the code, or why its `agent` file cannot be taken. A file beside it that cannot be taken refuses nothing.
 */
export async function takeIn(folder: string, named?: string): Promise<Result<Submission>> {
  const found = await list(folder);
  if (found === "no folder") return refuse(noFolder(folder));
  if (found === "crowded") return refuse(crowded(folder));
  const entries = (named === undefined ? ENTRIES : [named]).filter((name) => found.has(name));
  const [entry] = entries;
  if (entry === undefined) return refuse(noEntry(folder, [...found.keys()]));
  if (entries.length > 1) return refuse(twoEntries(entries));

  const read = await readText(join(folder, entry));
  if ("why" in read) return refuse(badEntry(entry, read.why, read.why === TOO_BIG ? SHORTER : null));
  const submission: Submission = { entry, files: [{ name: entry, text: read.text }], refused: [] };

  const others = [...found].filter(([name]) => name !== entry).sort(([a], [b]) => byDepth(a, b));
  const lowerCase = countLowerCase([...found.keys()]);
  for (const [name, unusable] of others) {
    const why = unusable ?? unfitting(name, lowerCase, submission.files.length);
    const result = why ? { why } : await readText(join(folder, name));
    if ("why" in result) submission.refused.push({ name, why: result.why });
    else submission.files.push({ name, text: result.text });
  }
  return { ok: true, value: submission };
}

/**
 * Everything below a folder that could be code, by name: null, or why it cannot be used without even opening it.
 * @returns `no folder` for a link to a folder too; `crowded` when the folder itself has more than is looked at. What is
 * beyond that in folders below is not seen.
 */
async function list(folder: string): Promise<Map<string, Text | null> | "no folder" | "crowded"> {
  const stat = await lstat(folder).catch(() => null);
  if (!stat?.isDirectory()) return "no folder";
  const found = new Map<string, Text | null>();
  let left = MAX_ENTRIES;
  const todo = [""];
  for (const inside of todo) {
    const directory = await opendir(join(folder, inside)).catch(() => null);
    if (directory === null) continue;
    for await (const entry of directory) {
      if (left-- === 0) return inside ? found : "crowded";
      if (NOT_CODE.test(entry.name)) continue;
      const name = inside ? `${inside}/${entry.name}` : entry.name;
      if (entry.isDirectory() && !CODE.test(entry.name)) {
        if (!SEGMENT.test(entry.name)) found.set(name, BAD_NAME);
        else if (name.split("/").length < MAX_DEPTH) todo.push(name);
        else found.set(name, TOO_DEEP);
      } else if (CODE.test(entry.name) || !isPlain(entry)) {
        found.set(name, SEGMENT.test(entry.name) ? null : BAD_NAME);
      }
    }
  }
  return found;
}

/** A link without an extension may stand for a folder of code: it is kept, to say why an import through it fails. */
function isPlain(entry: Dirent): boolean {
  return entry.isFile() || entry.isDirectory();
}

function unfitting(name: string, lowerCase: ReadonlyMap<string, number>, taken: number): Text | null {
  if ((lowerCase.get(name.toLowerCase()) ?? 0) > 1) return SAME_NAME;
  return taken >= MAX_FILES ? TOO_MANY : null;
}

function countLowerCase(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return counts;
}

function byDepth(a: string, b: string): number {
  return a.split("/").length - b.split("/").length || (a < b ? -1 : 1);
}

/** Reads through a descriptor, so that what was looked at is what is read. */
async function readText(path: string): Promise<{ text: string } | { why: Text }> {
  try {
    const before = await lstat(path);
    const why = unusable(before);
    if (why) return { why };
    // NONBLOCK: opening a named pipe that took the file's place meanwhile must not wait. Windows has neither flag.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const now = await handle.stat();
      if (now.ino !== before.ino || now.dev !== before.dev) return { why: CHANGED };
      const whyNow = unusable(now);
      if (whyNow) return { why: whyNow };
      const bytes = Buffer.alloc(MAX_BYTES + 1);
      let length = 0;
      for (let got = -1; got !== 0 && length < bytes.length; length += got) {
        got = (await handle.read(bytes, length, bytes.length - length)).bytesRead;
      }
      return length > MAX_BYTES ? { why: TOO_BIG } : decode(bytes.subarray(0, length));
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { why: unreadable((error as NodeJS.ErrnoException).code ?? "?") };
  }
}

function unusable(stat: Stats): Text | null {
  if (stat.isSymbolicLink()) return IS_LINK;
  if (!stat.isFile()) return NOT_A_FILE;
  if (stat.nlink > 1) return TWO_NAMES;
  return stat.size > MAX_BYTES ? TOO_BIG : null;
}

function decode(bytes: Uint8Array): { text: string } | { why: Text } {
  try {
    // Takes a byte order mark away.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? { why: NOT_UTF8 } : { text };
  } catch {
    return { why: NOT_UTF8 };
  }
}

function refuse(refusal: Refusal): { ok: false; refusal: Refusal } {
  return { ok: false, refusal };
}

function noFolder(folder: string): Refusal {
  const name = quoted(lastSegment(folder));
  return {
    headline: { es: `No hay una carpeta ${name}.`, en: `There is no folder ${name}.` },
    detail: {
      es: "La entrega de un ejercicio es una carpeta de verdad, no un enlace ni un archivo.",
      en: "A submission of an exercise is a real folder, not a link and not a file.",
    },
    next: {
      es: "Copia la carpeta del ejercicio con tu `agent.ts` dentro.",
      en: "Copy the exercise's folder with your `agent.ts` in it.",
    },
    at: null,
  };
}

function crowded(folder: string): Refusal {
  const name = quoted(lastSegment(folder));
  return {
    headline: { es: `Hay demasiados archivos en ${name}.`, en: `There are too many files in ${name}.` },
    detail: {
      es: `Tiene más de ${MAX_ENTRIES}, y la carpeta de un ejercicio tiene unos pocos.`,
      en: `It has more than ${MAX_ENTRIES}, and the folder of an exercise has a few.`,
    },
    next: {
      es: "Deja en ella solo los archivos de tu programa.",
      en: "Leave only the files of your program in it.",
    },
    at: null,
  };
}

function noEntry(folder: string, names: readonly string[]): Refusal {
  const code = names.filter((name) => /^[^/]+\.m?[tj]s$/.test(name));
  const like = code.find((name) => ENTRIES.includes(name.toLowerCase())) ?? (code.length === 1 ? code[0] : undefined);
  const extension = like && /\.m?[tj]s$/.exec(like)?.[0];
  return {
    headline: {
      es: `Falta \`agent.ts\` en ${quoted(lastSegment(folder))}.`,
      en: `\`agent.ts\` is missing from ${quoted(lastSegment(folder))}.`,
    },
    detail: {
      es: "El bucle se lee de `agent.ts` (también valen `agent.mts`, `agent.js` y `agent.mjs`).",
      en: "The loop is read from `agent.ts` (`agent.mts`, `agent.js` and `agent.mjs` will do as well).",
    },
    next: like
      ? {
          es: `Si tu bucle está en ${quoted(like)}, llámalo \`agent${extension}\`.`,
          en: `If your loop is in ${quoted(like)}, name it \`agent${extension}\`.`,
        }
      : { es: "Pon tu `agent.ts` en esa carpeta.", en: "Put your `agent.ts` into that folder." },
    at: null,
  };
}

function twoEntries(entries: readonly string[]): Refusal {
  const both = entries.map((name) => `\`${name}\``);
  return {
    headline: {
      es: `Hay ${both.join(" y ")}: solo puede haber uno.`,
      en: `There are ${both.join(" and ")}: there can be only one.`,
    },
    detail: { es: "No se puede saber cuál es tu bucle.", en: "Which one is your loop cannot be told." },
    next: {
      es: `Conserva el que has editado (${both[0]}, si dudas) y borra o renombra el otro.`,
      en: `Keep the one you have edited (${both[0]}, if in doubt) and delete or rename the other.`,
    },
    at: null,
  };
}

function badEntry(name: string, why: Text, next: Text | null): Refusal {
  return {
    headline: { es: `No se puede leer \`${name}\`.`, en: `\`${name}\` cannot be read.` },
    detail: why,
    next: next ?? {
      es: `Guarda tu bucle como un archivo nuevo llamado \`${name}\`.`,
      en: `Save your loop as a new file called \`${name}\`.`,
    },
    at: null,
  };
}

function lastSegment(path: string): string {
  return path.split(/[\\/]/).findLast((segment) => segment !== "") ?? path;
}

function unreadable(code: string): Text {
  return {
    es: `El sistema no permite abrirlo (${code}).`,
    en: `The system does not allow it to be opened (${code}).`,
  };
}

const IS_LINK: Text = {
  es: "Es un enlace simbólico, y los enlaces no se siguen.",
  en: "It is a symbolic link, and links are not followed.",
};
const NOT_A_FILE: Text = {
  es: "No es un archivo normal.",
  en: "It is not a regular file.",
};
const TWO_NAMES: Text = {
  es: "Es un enlace duro: el mismo archivo tiene otro nombre en otro lugar.",
  en: "It is a hard link: the same file has another name somewhere else.",
};
const TOO_BIG: Text = {
  es: "Pasa de 64 KB, el máximo de un archivo.",
  en: "It is over 64 KB, the most a file may have.",
};
const SHORTER: Text = {
  es: "Deja en él solo tu bucle; lo demás puede ir en otros archivos de la carpeta.",
  en: "Leave only your loop in it; the rest may go into other files of the folder.",
};
const NOT_UTF8: Text = {
  es: "No es texto en UTF-8: guárdalo con esa codificación.",
  en: "It is not UTF-8 text: save it in that encoding.",
};
const CHANGED: Text = {
  es: "Cambió mientras se leía.",
  en: "It changed while it was being read.",
};
const BAD_NAME: Text = {
  es: "Su nombre solo puede tener letras sin acento, números, espacios y `_ . - ( )`, y empezar por letra, número o `_`.",
  en: "Its name may only have unaccented letters, numbers, spaces and `_ . - ( )`, and begin with a letter, a number or `_`.",
};
const SAME_NAME: Text = {
  es: "Hay otro con el mismo nombre salvo por las mayúsculas: en muchos sistemas serían el mismo archivo.",
  en: "There is another whose name differs only in upper and lower case: on many systems they would be one file.",
};
const TOO_MANY: Text = {
  es: "Se leen 20 archivos de código como máximo, y este queda fuera.",
  en: "At most 20 code files are read, and this one is beyond them.",
};
const TOO_DEEP: Text = {
  es: "Está en una carpeta demasiado profunda: se leen hasta 4 niveles.",
  en: "It is in a folder that is too deep: 4 levels are read.",
};
