/** What a schema of zod's says of a value it does not take, in plain words of both languages. zod itself is not loaded here. */
import type * as z from "zod";
import { isRecord } from "../trace/json.ts";
import type { Text } from "../trace/text.ts";

export type Path = readonly PropertyKey[];
export type Issue = z.core.$ZodIssue;

/** A problem of a document. */
export interface Problem {
  path: Path;
  /** To be put after the place, without a full stop. */
  says: Text;
}

/** @param json the document @param above where in it the value stands that the schema did not take */
export function problemOf(json: unknown, issue: Issue, above: Path = []): Problem {
  const path = [...above, ...issue.path];
  const kinds = kindsOf(issue);
  if (kinds !== null) return { path, says: wrongKind(kinds, valueAt(json, path)) };
  const closest = issue.code === "invalid_union" ? closestOf(issue) : null;
  return closest ? problemOf(json, closest, path) : { path, says: told(issue) };
}

/** `["replies", 0, "calls"]` -> `replies[0].calls`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

function valueAt(json: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) => (Array.isArray(value) ? value[Number(part)] : isRecord(value) ? value[String(part)] : undefined),
    json,
  );
}

/** The kinds of value that would do, where it is only the kind that is wrong; else null. */
function kindsOf(issue: Issue): string[] | null {
  if (issue.code === "invalid_type") return [issue.expected];
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return null;
  const kinds = issue.errors.map((issues) => {
    // What is of another kind may be found too short, too.
    const [first] = issues;
    return first === undefined || first.path.length > 0 ? null : kindsOf(first);
  });
  return kinds.includes(null) ? null : [...new Set(kinds.flatMap((each) => each ?? []))];
}

/** Of the alternatives that a value fits none of, the one it fits best: fewest problems, then the deepest. */
function closestOf({ errors }: Extract<Issue, { code: "invalid_union" }>): Issue | null {
  const [best] = errors
    .filter((issues) => issues.length > 0)
    .toSorted((a, b) => a.length - b.length || b[0]!.path.length - a[0]!.path.length);
  return best?.[0] ?? null;
}

/** As many kinds are named where one of several would do; of more than that any would. */
const MOST_KINDS = 3;

function wrongKind(expected: readonly string[], value: unknown): Text {
  const kinds = expected.map((kind) => KINDS[kind] ?? { es: kind, en: kind });
  const known = kinds.length <= MOST_KINDS;
  const wanted = {
    es: `debe ser ${kinds.map(({ es }) => es).join(" o ")}`,
    en: `it must be ${kinds.map(({ en }) => en).join(" or ")}`,
  };
  if (value === undefined) {
    return { es: `falta${known ? `; ${wanted.es}` : ""}`, en: `it is missing${known ? `; ${wanted.en}` : ""}` };
  }
  const found = KINDS[kindOf(value)]!;
  // Of two kinds of number one is the other, too.
  if (expected.includes("int") && typeof value === "number") return wanted;
  return { es: `${wanted.es}, y es ${found.es}`, en: `${wanted.en}, and is ${found.en}` };
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

const KINDS: Readonly<Record<string, Text>> = {
  string: { es: "un texto", en: "a string" },
  number: { es: "un número", en: "a number" },
  int: { es: "un número entero", en: "a whole number" },
  boolean: { es: "`true` o `false`", en: "`true` or `false`" },
  array: { es: "una lista", en: "a list" },
  object: { es: "un objeto", en: "an object" },
  record: { es: "un objeto", en: "an object" },
  null: { es: "`null`", en: "`null`" },
};

function told(issue: Issue): Text {
  switch (issue.code) {
    case "unrecognized_keys": {
      const keys = issue.keys.map((key) => `\`${key}\``).join(", ");
      return { es: `aquí no hay ningún campo ${keys}`, en: `there is no field ${keys} here` };
    }
    case "invalid_value": {
      const values = issue.values.map((value) => `\`${JSON.stringify(value)}\``);
      return values.length === 1
        ? { es: `debe ser ${values[0]}`, en: `it must be ${values[0]}` }
        : { es: `debe ser uno de estos: ${values.join(", ")}`, en: `it must be one of these: ${values.join(", ")}` };
    }
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "invalid_format": {
      const pattern = issue.pattern === undefined ? issue.format : issue.pattern.replace(/^\/|\/$/g, "");
      return { es: `debe tener la forma \`${pattern}\``, en: `it must be of the form \`${pattern}\`` };
    }
    case "invalid_key": {
      const within = issue.issues[0] ? told(issue.issues[0]) : NOT_HERE;
      return { es: `no es un nombre que valga: ${within.es}`, en: `this name will not do: ${within.en}` };
    }
    default:
      return NOT_HERE;
  }
}

const NOT_HERE: Text = { es: "no es lo que debe haber aquí", en: "this is not what may stand here" };

function tooSmall({ origin, minimum }: Extract<Issue, { code: "too_small" }>): Text {
  if (origin === "string" && minimum === 1) return { es: "no puede quedar vacío", en: "it must not be empty" };
  const unit = UNITS[origin];
  return unit === undefined
    ? { es: `debe ser ${minimum} o más`, en: `it must be ${minimum} or more` }
    : {
        es: `debe tener al menos ${minimum} ${unit[minimum === 1 ? "one" : "more"].es}`,
        en: `it must have at least ${minimum} ${unit[minimum === 1 ? "one" : "more"].en}`,
      };
}

function tooBig({ origin, maximum }: Extract<Issue, { code: "too_big" }>): Text {
  const unit = UNITS[origin];
  return unit === undefined
    ? { es: `debe ser ${maximum} o menos`, en: `it must be ${maximum} or less` }
    : {
        es: `debe tener como mucho ${maximum} ${unit[maximum === 1 ? "one" : "more"].es}`,
        en: `it must have at most ${maximum} ${unit[maximum === 1 ? "one" : "more"].en}`,
      };
}

const UNITS: Readonly<Record<string, { one: Text; more: Text }>> = {
  string: { one: { es: "carácter", en: "character" }, more: { es: "caracteres", en: "characters" } },
  array: { one: { es: "elemento", en: "item" }, more: { es: "elementos", en: "items" } },
};
