/** What diagnoses say of an exercise's `runAgent`, said of the loop that is audited: a program, or a function of another name. */
import type { Found } from "../diagnoses/catalog/catalog.ts";
import type { Lang, Text } from "../trace/text.ts";

export interface Named {
  /** Name of the exported function; null: it is a program. */
  entry: string | null;
  /** It runs its tools through `#harness`, by `executeTool`. */
  usesHarness: boolean;
}

type Change = readonly [RegExp, string];

const OF_A_PROGRAM: Record<Lang, readonly Change[]> = {
  es: [
    [/\ba `runAgent`/g, "al programa"],
    [/\bde `runAgent`/g, "del programa"],
    [/`runAgent`/g, "el programa"],
    [/([Tt])u función (no la |no |los )?devolvió/g, "$1u programa $2imprimió"],
    [/devolvió (tu función|el programa)/g, "imprimió $1"],
    [/el programa devolvió/g, "el programa imprimió"],
    [/([Tt])u función/g, "$1u programa"],
  ],
  en: [
    [/`runAgent`/g, "the program"],
    [/([Yy])our function returned/g, "$1our program printed"],
    [/([Yy])our function did not return/g, "$1our program did not print"],
    [/the program returned/g, "the program printed"],
    [/([Yy])our function/g, "$1our program"],
  ],
};

/** Of a default export, which has no name of its own. */
const OF_A_FUNCTION: Record<Lang, readonly Change[]> = {
  es: [[/`runAgent`/g, "tu función"]],
  en: [[/`runAgent`/g, "your function"]],
};

const OF_A_TOOL: Record<Lang, readonly Change[]> = {
  es: [[/`executeTool`/g, "tu herramienta"]],
  en: [[/`executeTool`/g, "your tool"]],
};

/** A finding in the name of what is audited. */
export function inItsName(found: Found, named: Named): Found {
  const told = (text: Text): Text => ({ es: write(text.es, "es", named), en: write(text.en, "en", named) });
  return { ...found, headline: told(found.headline), detail: told(found.detail), next: told(found.next) };
}

function write(text: string, lang: Lang, named: Named): string {
  return changesFor(lang, named).reduce((said, [old, now]) => replaced(said, old, now), text);
}

function changesFor(lang: Lang, { entry, usesHarness }: Named): readonly Change[] {
  const tools = usesHarness ? [] : OF_A_TOOL[lang];
  if (entry === null) return [...OF_A_PROGRAM[lang], ...tools];
  if (entry === "default") return [...OF_A_FUNCTION[lang], ...tools];
  return [[/`runAgent`/g, `\`${entry.replaceAll("$", "$$$$")}\``], ...tools];
}

/** A word that takes a name's place at the beginning of a sentence has a capital. */
function replaced(text: string, old: RegExp, now: string): string {
  const said = text.replace(old, now);
  return text.startsWith("`")
    ? said[0]!.toUpperCase() + said.slice(1)
    : said.replace(BEGUN, (word) => word.toUpperCase());
}

/** After a full stop or an opening mark. */
const BEGUN = /(?<=[.?!] |¿)\p{Ll}(?=(l programa|he program|u función|our function|u herramienta|our tool)\b)/gu;
