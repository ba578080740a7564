import type { SettledEvent, Trace } from "../../trace/events.ts";
import { isRecord } from "../../trace/json.ts";

/** The event that says how `runAgent` settled; null while it has not. */
export function settled(trace: Trace): SettledEvent | null {
  return trace.find((event) => event.type === "settled") ?? null;
}

/** Every string in a returned value, however deep; pieces of a text that were handed out one by one are one text. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) {
    const pieces = value.length > 1 && value.every((item) => typeof item === "string");
    return pieces ? [...value, value.join("")] : value.flatMap(stringsIn);
  }
  return isRecord(value) ? Object.values(value).flatMap(stringsIn) : [];
}

/** Whether any of the marks is in the value. */
export function mentions(value: unknown, marks: readonly string[]): boolean {
  return stringsIn(value).some((text) => marks.some((mark) => text.includes(mark)));
}

/** Whether nothing at all can be read in the value: null, an empty text, an empty list or object. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.every(isNothing);
  return isRecord(value) && Object.values(value).every(isNothing);
}

/** Whether a text is blank, or the JSON of a value in which nothing can be read: `{}`, `[]`, `""`, `null`. */
export function isHollow(text: string): boolean {
  try {
    return isNothing(text) || isNothing(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Fields in which a bare answer is kept: an object with nothing beside them says nothing but its text. */
const PLAIN_FIELDS = new Set([
  "type",
  "role",
  "content",
  "text",
  "answer",
  "output",
  "result",
  "message",
  "response",
  "citations",
]);

/**
 * Whether the value is text and nothing else: a string, text blocks, an object whose other fields are empty. A Message says
 * why it ended by its own `stop_reason`, an object by any field beside the text: neither is bare.
 */
export function isBareText(value: unknown): boolean {
  if (typeof value === "string") return true;
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => isBareText(item));
  if (!isRecord(value)) return false;
  if (value.type === "tool_use" || value.type === "tool_result") return false;
  return Object.entries(value).every(
    ([key, item]) => item === null || (PLAIN_FIELDS.has(key) && (typeof item === "string" || isBareText(item))),
  );
}

/** Fields by which an object says that the loop gave up, and why. `stop_reason` alone does not: it is the reply's own. */
const REASON_FIELD = /reason|stopp?ed|error|status|limit|cap|aborted|incomplete|truncated|motivo|razon|límite|limite/i;

/** Whether the value says by a field of its own that the loop gave up. */
export function givesReason(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).some(
    ([key, item]) => key !== "stop_reason" && REASON_FIELD.test(key) && item !== null && item !== false && item !== "",
  );
}
