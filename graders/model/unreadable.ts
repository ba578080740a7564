import type { Text } from "../trace/text.ts";

/**
 * Why a file could not be read as JSON, to be put after its name; without a full stop.
 * @param error what reading or parsing it threw
 * @param text what stands in it, where it got that far
 */
export function whyUnreadable(error: unknown, text = ""): Text {
  if (error instanceof SyntaxError) {
    const place = placeIn(text, error.message);
    return { es: `no es JSON válido${place.es}`, en: `it is not valid JSON${place.en}` };
  }
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return KNOWN[code] ?? { es: `no se puede leer (${code})`, en: `it cannot be read (${code})` };
}

const KNOWN: Readonly<Record<string, Text>> = {
  ENOENT: { es: "no existe", en: "there is no such file" },
  EISDIR: { es: "es una carpeta, no un archivo", en: "it is a folder, not a file" },
  EACCES: { es: "no tienes permiso para leerlo", en: "you have no right to read it" },
  EPERM: { es: "no tienes permiso para leerlo", en: "you have no right to read it" },
};

/** V8 says where, by a count of characters; but not always. */
function placeIn(text: string, message: string): Text {
  const at = /\bat position (\d+)/.exec(message)?.[1];
  const end = /^Unexpected end/.test(message) ? text.length : null;
  const position = at === undefined ? end : Number(at);
  if (position === null || text.trim() === "") return { es: "", en: "" };
  const before = text.slice(0, position).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { es: ` (línea ${before.length}, columna ${column})`, en: ` (line ${before.length}, column ${column})` };
}
