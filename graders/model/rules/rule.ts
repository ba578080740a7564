import type { ApiError } from "../../trace/api.ts";
import { readTurns, type Turn } from "../history.ts";

/**
 * One reason the API has to refuse a request. Texts and statuses are the real ones; a rule covers only what the API is
 * known to refuse, so whatever its reaction is unsure about passes.
 */
export interface Rule {
  /** `P` pairing of tool calls and results, `R` roles and emptiness, `S` parameters and schema. */
  id: string;
  check(request: Request): Rejection | null;
}

/** A request as the rules read it. */
export interface Request {
  /** As sent; an empty object when the body was none. */
  body: Readonly<Record<string, unknown>>;
  /** The messages after those of one role in a row have been merged: every index in an error counts these. */
  turns: readonly Turn[];
}

export interface Rejection {
  status: number;
  error: ApiError;
}

export function readRequest(body: unknown): Request {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return { body: isObject ? (body as Record<string, unknown>) : {}, turns: readTurns(body) };
}

/** The refusal that almost every rule gives: 400 with this text. */
export function invalid(message: string): Rejection {
  return { status: 400, error: { type: "invalid_request_error", message } };
}
