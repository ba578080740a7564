/** What a student's function returned or threw, as bounded plain data. Reading it may run their code; the loop guard watches. */
import { VALUE_CHARS, VALUE_DEPTH } from "../limits.ts";
import type { UpError } from "../protocol.ts";
import { isArray, objectKeys } from "./primordials.ts";

/** What stands for a part that throws on being read: a getter, a Proxy. */
const UNREADABLE = "[unreadable]";

/** JSON-like copy of `value`: functions and symbols named, cycles and depth cut, text bounded in all by VALUE_CHARS. Never throws. */
export function toPlain(value: unknown): unknown {
  let room = VALUE_CHARS;
  const seen: object[] = [];
  const copy = (read: () => unknown, depth: number): unknown => {
    try {
      return copyOf(read(), depth);
    } catch {
      return UNREADABLE;
    }
  };
  const copyOf = (item: unknown, depth: number): unknown => {
    room -= 8;
    if (room <= 0) return "…";
    if (typeof item === "string") {
      const text = item.slice(0, room);
      room -= text.length;
      return text;
    }
    if (item === null || item === undefined || typeof item === "number" || typeof item === "boolean")
      return item ?? null;
    if (typeof item === "bigint") return item.toString();
    if (typeof item === "function") return "[function]";
    if (typeof item !== "object") return String(item);
    if (seen.includes(item)) return "[circular]";
    if (depth >= VALUE_DEPTH) return "…";
    if (item instanceof Promise) return "[object Promise]";
    if (item instanceof Error) return { error: toError(item).name, message: toError(item).message };
    seen.push(item);
    try {
      if (isArray(item)) return item.slice(0, 2000).map((each) => copy(() => each, depth + 1));
      const plain: Record<string, unknown> = {};
      for (const key of objectKeys(item).slice(0, 500)) {
        room -= key.length;
        // A plain assignment to `__proto__` would set the prototype instead of a key.
        Object.defineProperty(plain, key, {
          value: copy(() => (item as Record<string, unknown>)[key], depth + 1),
          enumerable: true,
        });
      }
      return plain;
    } finally {
      seen.pop();
    }
  };
  return copy(() => value, 0);
}

/** An error's name; where that was left at `Error`, its class's, which is all that `class Incomplete extends Error {}` says. Never throws. */
function nameFrom(thrown: object, name: string): string {
  if (name !== "Error") return name;
  try {
    const made: unknown = thrown.constructor.name;
    // A compiler may have put a `_` before it.
    return (typeof made === "string" && /^_*([A-Z]\w{0,80})$/.exec(made)?.[1]) || name;
  } catch {
    return name;
  }
}

/** The fields of whatever was thrown, read one by one: any of them may throw again. */
export function toError(thrown: unknown): UpError {
  const read = (key: string): string | null => {
    try {
      const value: unknown = (thrown as Record<string, unknown>)[key];
      return typeof value === "string" ? value.slice(0, 16_384) : null;
    } catch {
      return null;
    }
  };
  const isObject = typeof thrown === "object" && thrown !== null;
  if (!isObject) return { name: "", message: describe(thrown), stack: "", code: null, permission: null };
  return {
    name: nameFrom(thrown, read("name") ?? (thrown instanceof Error ? "Error" : "")),
    message: read("message") ?? describe(thrown),
    stack: read("stack") ?? "",
    code: read("code"),
    permission: read("permission"),
  };
}

function describe(thrown: unknown): string {
  try {
    return typeof thrown === "object" ? JSON.stringify(thrown).slice(0, 2000) : String(thrown).slice(0, 2000);
  } catch {
    return "[unprintable]";
  }
}
