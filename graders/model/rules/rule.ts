import type { ApiError, ReplyBlock } from "../../trace/api.ts";
import { isRecord } from "../../trace/json.ts";
import { readTurns, type Turn } from "../history.ts";

/**
 * One reason the API has to refuse a request. Texts and statuses are the real ones; a rule covers only what the API is
 * known to refuse, so whatever its reaction is unsure about passes.
 */
export interface Rule {
  /**
   * `H` what goes around the body, `S` parameters and schema, `R` roles and emptiness, `P` pairing of tool calls and
   * results, `T` thinking.
   */
  id: string;
  /** Whether it also holds for a conversation that is only to be counted. */
  ofCounts?: true;
  check(request: Request): Rejection | null;
}

/** What is known of a request beside its body. Whatever is left out is not judged. */
export interface Context {
  /** Lower-case names. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** What this run has delivered so far, reply by reply: streams that broke off too. */
  delivered?: readonly (readonly ReplyBlock[])[] | undefined;
  /** It goes on with a thread that does not exist. */
  lostThread?: boolean;
  /** The names of the uncertain rules to ask as well. */
  uncertain?: readonly string[] | undefined;
}

/** A request as the rules read it. */
export interface Request extends Context {
  /** False when the body was no JSON. */
  isJson: boolean;
  /** As sent; an empty object when the body was none. */
  body: Readonly<Record<string, unknown>>;
  /** The messages after those of one role in a row have been merged: every index in an error counts these. */
  turns: readonly Turn[];
}

export interface Rejection {
  status: number;
  error: ApiError;
}

/** @param body undefined for what is no JSON */
export function readRequest(body: unknown, context: Context = {}): Request {
  return { ...context, isJson: body !== undefined, body: isRecord(body) ? body : {}, turns: readTurns(body) };
}

/** The refusal that almost every rule gives: 400 with this text. */
export function invalid(message: string): Rejection {
  return { status: 400, error: { type: "invalid_request_error", message } };
}
