/** A file imported, and nothing of it called: whether it loads at all, and what it exports. */
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import type { Program } from "./compile/program.ts";

export type Look =
  /** How the import ended. */
  { loads: false; run: Run } | { loads: true; entry: string; found: Exported };

/** The export that was taken for the loop. */
export interface Exported {
  /** As `typeof` says, but for `class`, `list`, `promise` and `null`. */
  is: string;
  /** Of a class: its own name; empty where it has none. */
  name: string;
  /** Of an object or a class: what can be called on it. */
  methods: readonly string[];
  /** The functions that the file exports beside it. */
  functions: readonly string[];
}

/** Name of the function that looks. */
export const LOOK = "look";

/** A program that looks at another: the other is a module within it, so that its lines stay where they are. */
export function lookingAt(program: Program, entry: string): Program {
  const url = `data:text/javascript;base64,${Buffer.from(program.code).toString("base64")}`;
  const code = `export async function ${LOOK}() {
  const module = await import(${JSON.stringify(url)});
  const inner = module.default !== null && typeof module.default === "object" ? module.default : {};
  const exported = module[${JSON.stringify(entry)}] ?? inner[${JSON.stringify(entry)}];
  const isClass = (value) => typeof value === "function" && /^class\\b/.test(String(value));
  const isFunction = (value) => typeof value === "function" && !isClass(value);
  const is =
    exported === null ? "null"
    : Array.isArray(exported) ? "list"
    : isClass(exported) ? "class"
    : typeof exported === "object" && typeof exported.then === "function" ? "promise"
    : typeof exported;
  const methods = [];
  let owner = is === "class" ? exported.prototype : is === "object" ? exported : null;
  for (; owner !== null && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    const all = Object.entries(Object.getOwnPropertyDescriptors(owner));
    methods.push(...all.filter(([, { value }]) => isFunction(value)).map(([name]) => name));
  }
  const functions = Object.entries({ ...inner, ...module }).filter(([, value]) => isFunction(value));
  return { is, name: isClass(exported) ? exported.name : "", methods, functions: functions.map(([name]) => name) };
}`;
  return { ...program, code, exports: [LOOK] };
}

/** Reads what such a program saw. @param exports names that can be asked for */
export function lookOf(run: Run, entry: string, exports: readonly string[]): Look {
  const settled = run.trace.find((event) => event.type === "settled");
  if (run.outcome !== "returned" || !isRecord(settled?.value)) return { loads: false, run };
  const { is, name, methods, functions } = settled.value;
  return {
    loads: true,
    entry,
    found: {
      is: text(is),
      name: text(name),
      methods: names(methods).filter((method) => method !== "constructor"),
      functions: names(functions).filter((each) => each !== entry && each !== "default" && exports.includes(each)),
    },
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Those that can be written after a dot, private ones left out. */
function names(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).filter(
    (name): name is string => typeof name === "string" && /^[A-Za-z$][\w$]*$/.test(name),
  );
}

/** What an export is, in words. */
export function kindSaid(is: string): Text {
  return KINDS[is] ?? { es: `\`${is}\``, en: `\`${is}\`` };
}

const KINDS: Readonly<Record<string, Text>> = {
  object: { es: "un objeto", en: "an object" },
  class: { es: "una clase", en: "a class" },
  list: { es: "una lista", en: "a list" },
  promise: { es: "una promesa", en: "a promise" },
  string: { es: "un texto", en: "a string" },
  number: { es: "un número", en: "a number" },
};
