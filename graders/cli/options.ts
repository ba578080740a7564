/** Options that several verbs have: each has one wording, and means the same wherever it is. */
import type { VerbOption } from "./verb.ts";

/** What every verb has. */
export const COMMON: readonly VerbOption[] = [
  { flags: "--lang <es|en>", text: { es: "idioma de los textos", en: "language of the texts" } },
  { flags: "--no-color", text: { es: "sin colores", en: "no colours" } },
];

export const JSON_DOCUMENT: VerbOption = {
  flags: "--json",
  text: { es: "un documento JSON y nada más", en: "one JSON document and nothing else" },
};

export const VERBOSE: VerbOption = {
  flags: "--verbose",
  text: { es: "todo lo que se observó en cada ejecución", en: "all that was seen in each run" },
};

/** Read by `seedOf`. */
export const SEED: VerbOption = {
  flags: "--seed",
  value: { es: "semilla", en: "seed" },
  text: { es: "repite la variación de una ejecución anterior", en: "repeat the variation of an earlier run" },
};
