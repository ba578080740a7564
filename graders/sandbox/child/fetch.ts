/**
 * The global `fetch`, over MSW's: it carries the student's line that made a request to the relay, and which tools were under
 * way then. It stands before a client or a student's code can take hold of `fetch`, and changes nothing else about a request.
 */
import { AT_HEADER, UNDER_WAY_HEADER } from "./intercept.ts";
import { underWay } from "./under-way.ts";
import { studentFrames } from "./where.ts";

/** In a request's `init`: the line it was made on, for callers whose stack is gone by the time they send it. */
export const AT = Symbol("at");

type Init = RequestInit & { [AT]?: string };

const relayed = globalThis.fetch;

globalThis.fetch = function fetch(input: string | URL | Request, init?: Init): Promise<Response> {
  const at = init?.[AT] ?? studentFrames();
  const marks: [string, string][] = at === null ? [] : [[AT_HEADER, at]];
  const tools = underWay();
  if (tools.length > 0) marks.push([UNDER_WAY_HEADER, tools.join(",")]);
  return relayed(input, marks.length === 0 ? init : withMarks(input, init, marks));
} as typeof globalThis.fetch;

/** The same `init` with these headers more, or just the same where that cannot be done without a trace. */
function withMarks(input: unknown, init: Init | undefined, marks: readonly [string, string][]): Init | undefined {
  try {
    if (init !== undefined && init !== null && !isPlain(init)) return init;
    // Headers of an `init` take the place of a request's own.
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    for (const [name, value] of marks) headers.set(name, value);
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
