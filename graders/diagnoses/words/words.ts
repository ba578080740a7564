import type { ReplyEvent, Spot, ThrownError } from "../../trace/events.ts";
import type { Run } from "../../trace/run.ts";
import type { Text } from "../../trace/text.ts";
import { toJson } from "../find/json.ts";

/** `1 vez` / `once`, `2 veces` / `twice`, `7 veces` / `7 times`. */
export function times(count: number): Text {
  const en = count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;
  return { es: count === 1 ? "1 vez" : `${count} veces`, en };
}

/** A count and its noun: `count(2, ["herramienta", "herramientas"], ["tool", "tools"])`. */
export function count(n: number, es: readonly [string, string], en: readonly [string, string]): Text {
  return { es: `${n} ${es[n === 1 ? 0 : 1]}`, en: `${n} ${en[n === 1 ? 0 : 1]}` };
}

/** Names in backticks, joined; each once, at most four. */
export function names(list: readonly string[]): Text {
  const unique = [...new Set(list)];
  const shown = unique.slice(0, 4).map((name) => code(name));
  if (unique.length > 4) {
    const more = unique.length - 4;
    return { es: `${shown.join(", ")} y ${more} más`, en: `${shown.join(", ")} and ${more} more` };
  }
  return listed(shown);
}

/** Words joined as a list: `a, b y c` / `a, b and c`. */
export function listed(words: readonly string[]): Text {
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1).join(", ");
  if (before === "") return { es: last, en: last };
  // "y" turns to "e" before the sound of an i.
  const and = /^`?h?i(?!e)/i.test(last) ? "e" : "y";
  return { es: `${before} ${and} ${last}`, en: `${before} and ${last}` };
}

/** In backticks, on one line, cut to a length that leaves a text readable. Takes what a request holds, which may be no text at all. */
export function code(text: unknown, limit = 60): string {
  const said = typeof text === "string" ? text : toJson(text);
  return `\`${cut(said.replaceAll("`", "'"), limit)}\``;
}

/** One line of at most `limit` characters. */
export function cut(text: string, limit: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

/** A value as JSON, cut. */
export function json(value: unknown, limit = 60): string {
  return code(toJson(value), limit);
}

/** ` (línea 6)` / ` (line 6)`, or nothing without a spot. */
export function onLine(spot: Spot | null): Text {
  return spot === null ? { es: "", en: "" } : { es: ` (línea ${spot.line})`, en: ` (line ${spot.line})` };
}

/** What the API said of a rejected request or a fault, as a sentence of its own; empty when it rejected nothing. */
export function apiSaid(reply: ReplyEvent | null): Text {
  if (reply === null || reply.kind === "message" || reply.error === null) return { es: "", en: "" };
  if (reply.broke !== null) {
    const told = `${reply.error.type}: ${cut(reply.error.message, 400)}`;
    return {
      es: ` En medio del stream la API dijo «${told}»`,
      en: ` In the middle of the stream the API said "${told}"`,
    };
  }
  const said = `${reply.status} ${reply.error.type}: ${cut(reply.error.message, 400)}`;
  return { es: ` La API respondió «${said}»`, en: ` The API answered "${said}"` };
}

/** A thrown error by name and message, `` `TypeError`: «x is not a function» ``. A value that is no Error has no name. */
export function errorSaid({ name, message }: ThrownError, limit = 160): Text {
  const said = cut(message, limit);
  if (name === "") {
    return said === ""
      ? { es: "un texto vacío, que no es un `Error`", en: "an empty text, which is no `Error`" }
      : { es: `«${said}», que no es un \`Error\``, en: `"${said}", which is no \`Error\`` };
  }
  if (said === "") return { es: `${code(name)}, sin mensaje`, en: `${code(name)}, without a message` };
  return { es: `${code(name)}: «${said}»`, en: `${code(name)}: "${said}"` };
}

/** By which way an error ended a run, to be put before "was". */
export function wayOut({ kind }: Pick<Run, "kind">): Text {
  return kind === "uncaught"
    ? { es: "apagó el programa, sin que nadie lo atrapara,", en: "took the program down, with nobody to catch it," }
    : { es: "salió de `runAgent`", en: "left `runAgent`" };
}

/** Joins a text made of pieces. */
export function text(pieces: readonly (string | Text)[]): Text {
  const join = (lang: "es" | "en") => pieces.map((piece) => (typeof piece === "string" ? piece : piece[lang])).join("");
  return { es: join("es"), en: join("en") };
}
