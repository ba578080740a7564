import type { ApiMessage } from "../trace/api.ts";
import { member } from "./history.ts";
import type { Answer } from "./model.ts";

/** An answer as HTTP. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Encodes an answer the way the request asked for: server-sent events for a message when it said `stream: true`, else JSON.
 * Failures are JSON either way, as they come before a stream begins.
 * @param request the request's body, as sent
 */
export function encode(answer: Answer, request: unknown): HttpAnswer {
  if (answer.message && member(request, "stream") === true) {
    const body = streamEvents(answer.message).map(formatEvent).join("");
    return { status: 200, headers: { ...answer.headers, "content-type": "text/event-stream; charset=utf-8" }, body };
  }
  const requestId = answer.headers["request-id"] ?? null;
  const body = answer.message ?? { type: "error", error: answer.error, request_id: requestId };
  return {
    status: answer.status,
    headers: { ...answer.headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** One event of a stream: its `type` is also the event's name. */
export interface StreamEvent {
  type: string;
  [key: string]: unknown;
}

/** `event: …` and `data: …`, as it goes over the wire. */
export function formatEvent(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The events that a message is streamed as, each block in as few deltas as the API would ever use. */
export function streamEvents(message: ApiMessage): StreamEvent[] {
  const { stop_reason, stop_sequence, stop_details, container, usage } = message;
  return [
    {
      type: "message_start",
      message: {
        ...message,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        stop_details: null,
        usage: { ...usage, output_tokens: 1 },
      },
    },
    ...message.content.flatMap((block, index) => blockEvents(block, index)),
    {
      type: "message_delta",
      delta: { stop_reason, stop_sequence, stop_details, container },
      usage: { output_tokens: usage.output_tokens },
    },
    { type: "message_stop" },
  ];
}

function blockEvents(block: ApiMessage["content"][number], index: number): StreamEvent[] {
  const [start, deltas] = splitBlock(block);
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

/** What a block looks like when it starts, and the deltas that fill it. */
function splitBlock(block: ApiMessage["content"][number]): [start: object, deltas: object[]] {
  if (block.type === "text") return [{ ...block, text: "" }, [{ type: "text_delta", text: block.text }]];
  if (block.type === "thinking") {
    return [
      { ...block, thinking: "", signature: "" },
      [
        { type: "thinking_delta", thinking: block.thinking },
        { type: "signature_delta", signature: block.signature },
      ],
    ];
  }
  // What the API encrypts, and what its own tools found, comes whole.
  if (block.type !== "tool_use" && block.type !== "server_tool_use") return [block, []];
  // The first delta is always empty, and a tool without operands gets no other.
  const json = JSON.stringify(block.input);
  const parts = json === "{}" ? [""] : ["", json];
  return [{ ...block, input: {} }, parts.map((partial_json) => ({ type: "input_json_delta", partial_json }))];
}
