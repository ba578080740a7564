import { isRecord } from "../trace/json.ts";
import type { Up, UpError } from "./protocol.ts";

/** Where on the student's stack: positions in the compiled module, innermost first. */
const PLACES = /^\d{1,7}:\d{1,7}( \d{1,7}:\d{1,7}){0,9}$/;

/**
 * Reads a line a child sent. It is untrusted: anything that is not one of the protocol's messages, with fields of the
 * right types, is null.
 */
export function readUp(line: string): Up | null {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isRecord(json)) return null;
  const message = json as Record<string, unknown> & { t?: unknown };
  const { t, run, conversation, at } = message;
  if (t === "ready") return { t };
  if (typeof run !== "number") return null;
  switch (t) {
    case "busy": {
      const { site, cpuMs, hits } = message;
      if (typeof site !== "number" || typeof cpuMs !== "number" || typeof hits !== "number") return null;
      return { t, run, site, cpuMs, hits, full: message.full === true };
    }
    case "idle":
      return typeof message.fired === "number" ? { t, run, fired: message.fired } : null;
    case "alive":
    case "stalled":
      return { t, run };
    case "quiet":
      return { t, run, clean: message.clean === true };
  }
  // The rest comes from one of the run's conversations.
  if (typeof conversation !== "number") return null;
  const from = { run, conversation };
  const place = typeof at === "string" && PLACES.test(at) ? at : null;
  switch (t) {
    case "http": {
      const { id, method, url, headers, body } = message;
      if (typeof id !== "number" || typeof method !== "string" || typeof url !== "string") return null;
      if (typeof body !== "string" || !isRecord(headers)) return null;
      const underWay = Array.isArray(message.underWay) ? message.underWay.filter(Number.isSafeInteger) : [];
      return { t, ...from, id, method, url, headers: strings(headers), body, underWay, at: place };
    }
    case "tool": {
      const { id, name, input, standIn } = message;
      if (typeof id !== "number" || typeof name !== "string") return null;
      return { t, ...from, id, name, input, ...(typeof standIn === "string" && { standIn }), at: place };
    }
    case "print": {
      const { text, droppedLines } = message;
      if (typeof text !== "string" || typeof droppedLines !== "number") return null;
      return { t, ...from, text, droppedLines };
    }
    case "blocked": {
      const { what, detail } = message;
      if (what !== "network" && what !== "filesystem" && what !== "process") return null;
      return { t, ...from, what, detail: String(detail).slice(0, 200), at: place };
    }
    case "began":
    case "aborted":
      return { t, ...from };
    case "settled": {
      const { how, value } = message;
      if (how === "returned") return { t, ...from, how, value, error: null };
      if (how !== "threw") return null;
      return { t, ...from, how, value: null, error: readError(message.error) };
    }
    case "uncaught":
      return { t, ...from, error: readError(message.error) };
    case "exit":
      return { t, ...from, code: String(message.code).slice(0, 20), at: place };
    default:
      return null;
  }
}

function readError(json: unknown): UpError {
  const fields = isRecord(json) ? json : {};
  const text = (key: string) => (typeof fields[key] === "string" ? (fields[key] as string) : "");
  return {
    name: text("name"),
    message: text("message"),
    stack: text("stack"),
    code: text("code") || null,
    permission: text("permission") || null,
  };
}

function strings(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
