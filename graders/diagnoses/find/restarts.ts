import { isText, isToolResult, isToolUse } from "../../trace/api.ts";
import type { RequestEvent, Trace } from "../../trace/events.ts";
import type { Scenario } from "../../trace/scenario.ts";
import { type Asked, askedBy, type Delivered, delivered, isDelivered, markOf, ran } from "./calls.ts";
import { toJson } from "./json.ts";
import { exchanges, historyText } from "./requests.ts";
import { nonces } from "./script.ts";

/** Requests that were answered by one and the same turn of the script, but for the first of them, and what that turn asked for. */
export interface Restart {
  again: RequestEvent[];
  calls: readonly Asked[];
}

/** How often the turn of the script that was given most often was given: its history never held it. */
export function sameTurn(trace: Trace): number {
  const given = new Map<number, number>();
  for (const { entry, complete, final } of delivered(trace)) {
    if (entry !== null && complete && !final) given.set(entry, (given.get(entry) ?? 0) + 1);
  }
  return Math.max(0, ...given.values());
}

/** The history that was sent most often after a complete reply to it had asked for calls; null when none was. */
export function mostResent(trace: Trace): Restart | null {
  const answered = new Map<string, { reply: Delivered; again: RequestEvent[] }>();
  for (const { request, reply } of exchanges(trace)) {
    const history = historyText(request);
    const known = answered.get(history);
    if (known) {
      if (request.seq > known.reply.seq) known.again.push(request);
    } else if (reply !== null && isDelivered(reply) && reply.complete && askedBy(reply).length > 0) {
      answered.set(history, { reply, again: [] });
    }
  }
  const most = [...answered.values()].toSorted((a, b) => b.again.length - a.again.length)[0];
  return most && most.again.length > 0 ? { again: most.again, calls: askedBy(most.reply) } : null;
}

/**
 * Whether a history was sent more than once only until one of the replies to it was taken up, and never after: a request
 * made twice, or two made at once, but no conversation that starts over.
 */
export function tookUp(trace: Trace, { again }: Restart): boolean {
  const same = exchanges(trace).filter(({ request }) => historyText(request) === historyText(again[0]!));
  const ids = new Set(
    same.flatMap(({ reply }) => (reply !== null && isDelivered(reply) ? askedBy(reply).map(({ id }) => id) : [])),
  );
  const holds = ({ history }: RequestEvent) =>
    history.some(({ content }) => content.some((block) => isToolUse(block) && ids.has(block.id)));
  const first = exchanges(trace).find(({ request }) => holds(request))?.request;
  return first !== undefined && again.every(({ seq }) => seq < first.seq);
}

/**
 * The turn of the script that was given most often to histories that held nothing of what had happened: no call, no result,
 * no word of a reply or a tool. Null when none was given to two of them.
 */
export function mostBegun(trace: Trace, scenario: Scenario): Restart | null {
  const begun = new Map<number, { reply: Delivered; requests: RequestEvent[] }>();
  for (const { request, reply } of exchanges(trace)) {
    if (reply === null || !isDelivered(reply) || !reply.complete || askedBy(reply).length === 0) continue;
    if (reply.entry === null || holdsAnything(trace, scenario, request)) continue;
    const known = begun.get(reply.entry);
    if (known) known.requests.push(request);
    else begun.set(reply.entry, { reply, requests: [request] });
  }
  const most = [...begun.values()].toSorted((a, b) => b.requests.length - a.requests.length)[0];
  return most && most.requests.length > 1 ? { again: most.requests.slice(1), calls: askedBy(most.reply) } : null;
}

/** Whether a history holds anything that came from the model or a tool. */
export function holdsAnything(trace: Trace, scenario: Scenario, request: RequestEvent): boolean {
  if (request.history.some(({ content }) => content.some((block) => isToolUse(block) || isToolResult(block))))
    return true;
  const said = historyText(request);
  const marks = delivered(trace)
    .filter(({ seq }) => seq < request.seq)
    .flatMap((reply) => {
      const { text, thinking } = nonces(scenario, reply);
      return [...text, ...thinking];
    });
  return [...new Set([...marks, ...resultMarks(trace, request.seq)])].some((mark) => said.includes(mark));
}

/** Whether a text of the history holds what a tool gave back after a point of the run. */
export function saysResult(trace: Trace, request: RequestEvent, after: number): boolean {
  const said = toJson(request.history.flatMap(({ content }) => content.filter(isText)));
  return resultMarks(trace, request.seq, after).some((mark) => said.includes(mark));
}

/** By what the results of the calls run between two points of a run are known again, as they stand in JSON. */
function resultMarks(trace: Trace, before: number, after = -1): string[] {
  return ran(trace)
    .filter(({ call, result }) => call.seq > after && result !== null && result.seq < before)
    .flatMap(({ result }) => markOf(result?.outcome));
}
