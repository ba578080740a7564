/** How a conversation ended, before it is put together as a run. */
import type { Spot, ThrownError, Trace } from "../trace/events.ts";
import type { Outcome } from "../trace/run.ts";
import { BLOCKED_CODE, type UpError } from "./protocol.ts";

export interface Ending {
  outcome: Outcome;
  kind: string | null;
  at?: Spot | null;
  error?: ThrownError | null;
  measured?: Record<string, number>;
}

/** Which refusal ended a run, if one did: Node's own (the permission model's) or the lockdown's. */
export function blockedBy(error: UpError | null, trace: Trace): Pick<Ending, "outcome" | "kind"> | null {
  if (error === null) return null;
  if (error.code === BLOCKED_CODE || error.code === "ERR_ACCESS_DENIED") {
    return { outcome: "blocked", kind: REFUSED[error.permission ?? ""] ?? "process" };
  }
  const refusedRequest = trace.findLast((event) => event.type === "blocked" && event.what === "network");
  // What is thrown after a refusal may have another cause.
  const isOfRequests =
    error.name === "TypeError" ? /^(Failed to fetch|Network error)$/.test(error.message) : REQUESTS.test(error.name);
  if (refusedRequest && isOfRequests) return { outcome: "blocked", kind: "network" };
  return null;
}

/** Errors of libraries that make requests, whatever they say. */
const REQUESTS = /^(APIConnectionError|FetchError|AxiosError)$/;

const REFUSED: Record<string, string> = {
  network: "network",
  filesystem: "filesystem",
  process: "process",
  FileSystemRead: "filesystem",
  FileSystemWrite: "filesystem",
  FileSystem: "filesystem",
  Net: "network",
};

/** The last line of the student's code that is known to have run. */
export function lastSpot(trace: Trace): Spot | null {
  return trace.findLast((event) => "at" in event && event.at !== null)?.["at" as never] ?? null;
}
