import { isText, isToolResult } from "../../trace/api.ts";
import type { RequestEvent, ToolResultEvent, Trace } from "../../trace/events.ts";
import { isRecord } from "../../trace/json.ts";
import { type Asked, askedBy, askedById, type Delivered, delivered, isDelivered, keyOf, ran } from "./calls.ts";
import { stable } from "./json.ts";
import { exchanges } from "./requests.ts";

/** A reply that asked for calls, and what came of them. */
export interface Lap {
  reply: Delivered;
  calls: readonly Asked[];
  /** Its calls by name and input, whatever their order: equal for laps that ask the same. */
  key: string;
  /** What the tools gave, without the tokens drawn for them alone; a call that was not run gave nothing. */
  outcome: string;
  /** Every call was asked for before, and nothing came of any that had not come of it before. */
  stale: boolean;
}

/** The replies that asked for calls, in order. A turn of the script that is given again is no lap: the loop repeats, not the model. */
export function lapsOf(trace: Trace): Lap[] {
  const known = new Set<string>();
  const given = new Set<number>();
  const asking = delivered(trace).filter((reply) => {
    if (reply.entry === null || askedBy(reply).length === 0 || given.has(reply.entry)) return false;
    given.add(reply.entry);
    return true;
  });
  return asking.map((reply, place) => {
    const until = asking[place + 1]?.seq ?? Number.POSITIVE_INFINITY;
    const runs = ran(trace).filter(({ call }) => call.seq > reply.seq && call.seq < until);
    const calls = askedBy(reply);
    const news = calls.flatMap(({ key }) => {
      const last = runs.findLast((each) => each.key === key)?.result ?? null;
      return last === null ? [key] : [key, `${key} ${outcomeText(last.outcome)}`];
    });
    const stale = news.every((each) => known.has(each));
    for (const each of news) known.add(each);
    const keys = calls.map(({ key }) => key).toSorted();
    return { reply, calls, key: keys.join("\n"), outcome: news.toSorted().join("\n"), stale };
  });
}

/** How a token of the run stands in a text. */
const TOKEN = /#[0-9a-z]{6}/g;

function outcomeText(outcome: ToolResultEvent["outcome"]): string {
  if (outcome.kind === "hung") return "hung";
  return outcome.kind === "error"
    ? `error ${outcome.message.replace(TOKEN, "")}`
    : `value ${stable(outcome.value).replace(TOKEN, "")}`;
}

/**
 * Whether the loop told the model that it repeats itself, in one of its first `limit` requests: what it sent after a stale lap
 * is more, or something else, than what it sent after one that was not; or other tools were offered, or other instructions
 * given than before.
 */
export function toldOfRepeat(trace: Trace, limit: number): boolean {
  const stale = new Set(
    lapsOf(trace)
      .filter((lap) => lap.stale)
      .map(({ reply }) => reply),
  );
  const known = new Set<string>();
  let terms: string | null = null;
  let latest: Delivered | null = null;
  for (const { request, reply } of exchanges(trace).slice(0, limit)) {
    const repeats = latest !== null && stale.has(latest);
    if (repeats && terms !== null && (termsOf(request) !== terms || !known.has(handedOver(trace, request))))
      return true;
    terms ??= termsOf(request);
    if (!repeats) known.add(handedOver(trace, request));
    if (reply !== null && isDelivered(reply)) latest = reply;
  }
  return false;
}

/** What a request says apart from its messages. */
function termsOf({ body, tools }: RequestEvent): string {
  const { system, tool_choice, model } = isRecord(body) ? body : {};
  return stable([tools, system, tool_choice, model]);
}

/** The last message of the user: each result without the run's tokens and ids, and how many texts stand beside them. */
function handedOver(trace: Trace, request: RequestEvent): string {
  const content = request.history.findLast(({ role }) => role === "user")?.content ?? [];
  const asked = askedById(trace, request.seq);
  const results = content.filter(isToolResult).map((result) => {
    const call = asked.get(result.tool_use_id);
    const said = stable(result.content ?? "").replace(TOKEN, "");
    return `${call ? keyOf(call.name, call.input) : ""} ${result.is_error === true} ${said}`;
  });
  return stable([results, content.filter(isText).length]);
}
