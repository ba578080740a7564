import type { ReplyEvent } from "../../trace/events.ts";

/** Statuses below 500 that the SDK sends again: a request timeout, a conflict, too many requests. */
const PASSING = [408, 409, 429];

/** Whether a failure with this status may pass by waiting. Any other 4xx is about the request, and stays. */
export function mayPass(status: number): boolean {
  return status < 400 || status >= 500 || PASSING.includes(status);
}

/** Whether the API turned the request itself down: because it is malformed, or because the script says so. */
export function isTurnedDown(reply: ReplyEvent | null): boolean {
  if (reply === null || reply.kind === "message") return false;
  return reply.kind === "rejection" || !mayPass(reply.status);
}

/** Whether the server failed in a way that may pass by waiting. */
export function isPassingFault(reply: ReplyEvent | null): boolean {
  return reply?.kind === "fault" && mayPass(reply.status);
}
