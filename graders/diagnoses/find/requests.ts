import type { Block, HistoryMessage } from "../../trace/api.ts";
import { isText } from "../../trace/api.ts";
import type { ReplyEvent, RequestEvent, Trace } from "../../trace/events.ts";
import { isRecord, remember } from "./json.ts";

/** A request and what came back; `reply` is null while it is outstanding. */
export interface Exchange {
  request: RequestEvent;
  reply: ReplyEvent | null;
}

/** The requests in the order they were sent. */
export function exchanges(trace: Trace): Exchange[] {
  const replies = new Map<number, ReplyEvent>();
  for (const event of trace) if (event.type === "reply") replies.set(event.request, event);
  return trace
    .filter((event) => event.type === "request")
    .map((request) => ({ request, reply: replies.get(request.seq) ?? null }));
}

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

/** The history as one string: equal for equal histories. */
export const historyText: (request: RequestEvent) => string = remember((request: RequestEvent) =>
  JSON.stringify(request.history),
);

/** The body as one string. */
export const bodyText: (request: RequestEvent) => string = remember(
  (request: RequestEvent) => JSON.stringify(request.body) ?? "null",
);

/** All text of a message's blocks: text blocks, and what tool results say. */
export function textIn(message: HistoryMessage): string {
  return message.content.map(blockText).join("\n");
}

/** What a block says: the text of a text block, the content of a tool result as text or JSON. */
export function blockText(block: Block): string {
  if (isText(block)) return typeof block.text === "string" ? block.text : "";
  if (block.type !== "tool_result") return "";
  const content = (block as { content?: unknown }).content;
  return typeof content === "string" ? content : (JSON.stringify(content) ?? "");
}
