/**
 * The global `fetch`, over MSW's: it carries the student's line that made a request to the relay. It stands before a
 * client or a student's code can take hold of `fetch`, and changes nothing else about a request.
 */
import { AT_HEADER } from "./intercept.ts";
import { studentFrames } from "./where.ts";

/** In a request's `init`: the line it was made on, for callers whose stack is gone by the time they send it. */
export const AT = Symbol("at");

type Init = RequestInit & { [AT]?: string };

const relayed = globalThis.fetch;

globalThis.fetch = function fetch(input: string | URL | Request, init?: Init): Promise<Response> {
  const at = init?.[AT] ?? studentFrames();
  return relayed(input, at === null ? init : withPlace(input, init, at));
} as typeof globalThis.fetch;

/** The same `init` with one header more, or just the same where that cannot be done without a trace. */
function withPlace(input: unknown, init: Init | undefined, at: string): Init | undefined {
  try {
    if (init !== undefined && init !== null && !isPlain(init)) return init;
    // Headers of an `init` take the place of a request's own.
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set(AT_HEADER, at);
    return { ...init, headers };
  } catch {
    return init; // what is wrong with it, MSW's `fetch` tells as it always did
  }
}

/** A `Request` may stand in for an `init`: its members are no own properties, and a copy would lose them. */
function isPlain(init: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(init);
  return prototype === Object.prototype || prototype === null;
}
