import type { Spot } from "../trace/events.ts";
import type { Conversation } from "./conversation.ts";
import { asJson, encode, type HttpAnswer } from "./encoding.ts";

/** A request to the API's host, however it was carried. */
export interface HttpRequest {
  method: string;
  /** Without host and query. */
  path: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Numbers of the tool calls that had not come back when it was sent; none when left out. */
  underWay?: readonly number[];
}

/**
 * The API over HTTP: `POST /v1/messages` and `POST /v1/messages/count_tokens`; anything else is not found, and leaves
 * nothing in the trace. Takes anything and never throws.
 * @param talk the run that the request belongs to
 * @param at the line that made it, where it is known
 */
export function respond(talk: Conversation, request: HttpRequest, at: Spot | null = null): HttpAnswer {
  const { method, path, headers, underWay } = request;
  const endpoint = method === "POST" ? path.replace(/\/$/, "") : null;
  if (endpoint === "/v1/messages") {
    const attempt = 1 + (Number(headers["x-stainless-retry-count"]) || 0);
    return encode(talk.send({ body: parse(request.body), headers, attempt, at, underWay }));
  }
  if (endpoint === "/v1/messages/count_tokens") {
    const counted = talk.count({ body: parse(request.body), headers, at });
    return asJson(counted.status, counted.headers, counted.body);
  }
  const error = { type: "not_found_error", message: "Not Found" };
  return asJson(404, {}, { type: "error", error, request_id: null });
}

/** Undefined for what is no JSON. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
