import type { Trace } from "../../trace/events.ts";
import { type Ran, ran } from "./calls.ts";
import { exchanges } from "./requests.ts";

/** The calls that never came back and that the loop never went on from: no request was sent after they were begun. */
export function hungCalls(trace: Trace): Ran[] {
  const lastRequest = exchanges(trace).at(-1)?.request.seq ?? -1;
  return ran(trace).filter(({ call, result }) => result?.outcome.kind === "hung" && call.seq > lastRequest);
}
