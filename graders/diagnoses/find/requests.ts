import type { Block } from "../../trace/api.ts";
import { isText } from "../../trace/api.ts";
import type { ReplyEvent, RequestEvent, Trace } from "../../trace/events.ts";
import { isRecord } from "../../trace/json.ts";
import { remember, rememberList, toJson } from "./json.ts";

/** A request and what came back; `reply` is null while it is outstanding. */
export interface Exchange {
  request: RequestEvent;
  reply: ReplyEvent | null;
}

/** The requests in the order they were sent. */
export const exchanges: (trace: Trace) => readonly Exchange[] = rememberList((trace: Trace) => {
  const replies = new Map<number, ReplyEvent>();
  for (const event of trace) if (event.type === "reply") replies.set(event.request, event);
  return trace
    .filter((event) => event.type === "request")
    .map((request) => ({ request, reply: replies.get(request.seq) ?? null }));
});

/**
 * Where each request's history begins to differ from the one before it: what stands before was looked at there, and a
 * long conversation is read once instead of once a turn.
 */
export const newFrom: (trace: Trace) => ReadonlyMap<RequestEvent, number> = rememberList((trace: Trace) => {
  const from = new Map<RequestEvent, number>();
  let previous: string[] = [];
  for (const { request } of exchanges(trace)) {
    const messages = request.history.map((message) => toJson(message));
    const differs = messages.findIndex((message, index) => message !== previous[index]);
    from.set(request, differs === -1 ? messages.length : differs);
    previous = messages;
  }
  return from;
});

/** `body.messages` as sent: those that are objects, untouched. */
export function rawMessages(request: RequestEvent): Record<string, unknown>[] {
  const body = request.body;
  if (!isRecord(body) || !Array.isArray(body.messages)) return [];
  return body.messages.filter(isRecord);
}

/** The blocks of a raw message's content; none when it is a string or no list. */
export function rawBlocks(message: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(message.content) ? message.content.filter(isRecord) : [];
}

/** Whether a request holds a turn of the assistant's without any `content`, not even an empty one. */
export function hasBareTurn(request: RequestEvent): boolean {
  return rawMessages(request).some(
    ({ role, content }) => role === "assistant" && (content === undefined || content === null),
  );
}

/** The history as one string: equal for equal histories. */
export const historyText: (request: RequestEvent) => string = remember((request: RequestEvent) =>
  toJson(request.history),
);

/** The body as one string. */
export const bodyText: (request: RequestEvent) => string = remember((request: RequestEvent) => toJson(request.body));

/** What a block says: the text of a text block, the content of a tool result as text or JSON. */
export function blockText(block: Block): string {
  if (isText(block)) return typeof block.text === "string" ? block.text : "";
  if (block.type !== "tool_result") return "";
  const content = (block as { content?: unknown }).content;
  return typeof content === "string" ? content : content === undefined ? "" : toJson(content);
}

/** What can be read in the content of a tool result: the text, or the texts of its blocks one below the other. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((block) => (typeof block?.text === "string" ? [block.text] : [])).join("\n");
}
