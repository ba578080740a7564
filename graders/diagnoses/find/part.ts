import { isRecord } from "../../trace/json.ts";
import { stable, toJson } from "./json.ts";

/** Whether a value is what one has of a JSON value that has not arrived whole: nothing yet, fewer keys, the start of a text, a piece of its JSON. */
export function isProperPart(part: unknown, whole: unknown): boolean {
  if (stable(part) === stable(whole)) return false;
  if (part === null || part === undefined || part === "") return !isEmpty(whole);
  // Text that was never parsed: a piece of the JSON, but not all of it.
  if (typeof part === "string" && typeof whole !== "string") {
    const json = toJson(whole);
    const piece = part.replace(/\s/g, "");
    return piece !== "" && piece !== json.replace(/\s/g, "") && json.replace(/\s/g, "").includes(piece);
  }
  return isPart(part, whole);
}

/** Whether a value is a part of another, or all of it. */
function isPart(part: unknown, whole: unknown): boolean {
  if (typeof part === "string") return typeof whole === "string" && whole.startsWith(part);
  if (typeof part === "number") return typeof whole === "number" && String(whole).startsWith(String(part));
  if (Array.isArray(part))
    return Array.isArray(whole) && part.length <= whole.length && part.every((item, i) => isPart(item, whole[i]));
  if (isRecord(part))
    return isRecord(whole) && Object.entries(part).every(([key, item]) => key in whole && isPart(item, whole[key]));
  return part === whole;
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}
