import type { ApiMessage, ReplyBlock, StopReason, ToolDefinition } from "../trace/api.ts";
import { isRecord } from "../trace/json.ts";
import { member } from "./history.ts";
import type { Random } from "./seed.ts";

/** One event of a stream: its `type` is also the event's name. */
export interface StreamEvent {
  type: string;
  [key: string]: unknown;
}

/** The most pieces that one block is cut into, about. */
const PIECES = 12;

/** Why a reply stops in the middle of its last block. */
const CUT_SHORT: readonly StopReason[] = ["max_tokens", "model_context_window_exceeded"];

/**
 * The events that a message is streamed as. Put together again they are the message.
 * A reply that was cut short in the middle of a call says of it what it has, JSON without an end, and never closes the
 * block: the JSON goes on after the last value of `input` and breaks off in the next name.
 * @param tools where the next name comes from
 * @param random where the pieces are cut
 */
export function streamOf(message: ApiMessage, tools: readonly ToolDefinition[], random: Random): StreamEvent[] {
  const { stop_reason, stop_sequence, stop_details, container, usage } = message;
  const start = {
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: { ...usage, output_tokens: 1, server_tool_use: null },
  };
  const cutShort = CUT_SHORT.includes(stop_reason);
  const last = message.content.length - 1;
  const blocks = message.content.flatMap((block, index) => {
    const open = cutShort && index === last && block.type === "tool_use";
    const tool = open ? tools.find(({ name }) => name === block.name) : undefined;
    const [head, deltas] = splitBlock(block, random, open ? unfinished(block.input, tool) : null);
    return [
      { type: "content_block_start", index, content_block: head },
      ...(index === 0 ? [{ type: "ping" }] : []),
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      ...(open ? [] : [{ type: "content_block_stop", index }]),
    ];
  });
  return [
    { type: "message_start", message: start },
    ...blocks,
    {
      type: "message_delta",
      delta: { stop_reason, stop_sequence, stop_details, container },
      usage: {
        input_tokens: usage.input_tokens,
        cache_creation_input_tokens: usage.cache_creation_input_tokens,
        cache_read_input_tokens: usage.cache_read_input_tokens,
        output_tokens: usage.output_tokens,
        output_tokens_details: usage.output_tokens_details,
        server_tool_use: usage.server_tool_use,
      },
    },
    { type: "message_stop" },
  ];
}

/**
 * A stream that breaks off: somewhere after its first words and before its last.
 * @returns the events that still go out, and the message as far as they tell it
 */
export function breakOff(events: readonly StreamEvent[], random: Random): { sent: StreamEvent[]; begun: ApiMessage } {
  const words = events.findIndex(({ delta }) =>
    Object.values(delta ?? {}).some((text) => text !== "" && text !== null),
  );
  const end = events.findIndex(({ type }) => type === "message_delta");
  const sent = events.slice(0, random.int(Math.min(words, end - 1) + 1, end));
  return { sent, begun: putTogether(sent) };
}

/** What a block looks like when it starts, and the deltas that fill it. */
function splitBlock(block: ReplyBlock, random: Random, json: string | null): [head: object, deltas: object[]] {
  switch (block.type) {
    case "text":
      return [{ ...block, text: "" }, cut(block.text, random).map((text) => ({ type: "text_delta", text }))];
    case "thinking": {
      const deltas = cut(block.thinking, random).map((thinking) => ({ type: "thinking_delta", thinking }));
      return [
        { ...block, thinking: "", signature: "" },
        [...deltas, { type: "signature_delta", signature: block.signature }],
      ];
    }
    case "tool_use":
    case "server_tool_use": {
      // The first delta is always empty, and a tool without operands gets no other.
      const whole = json ?? JSON.stringify(block.input);
      const parts = ["", ...(whole === "{}" ? [] : cut(whole, random))];
      return [{ ...block, input: {} }, parts.map((partial_json) => ({ type: "input_json_delta", partial_json }))];
    }
    default:
      // What the API encrypts, and what its own tools found, comes whole.
      return [block, []];
  }
}

/** The JSON of an input that is not over: every value is there, and the next name has begun. */
function unfinished(input: unknown, tool: ToolDefinition | undefined): string {
  const json = JSON.stringify(input).slice(0, -1);
  const given = isRecord(input) ? Object.keys(input) : [];
  const required = member(tool?.input_schema, "required");
  const names = [
    ...(Array.isArray(required) ? required : []),
    ...Object.keys(member(tool?.input_schema, "properties") ?? {}),
  ].filter((name) => typeof name === "string" && !given.includes(name));
  const next = names.length > 0 ? JSON.stringify(names[0]) : '"';
  return `${json}${given.length > 0 ? "," : ""}${next.slice(0, Math.ceil(next.length / 2))}`;
}

/** A text in pieces: cut anywhere but within a character, so that each piece is well-formed by itself. */
function cut(text: string, random: Random): string[] {
  const longest = Math.max(2 * PIECES, Math.ceil((2 * text.length) / PIECES));
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = from + random.int(1, longest);
    if (/[\uD800-\uDBFF]/.test(text[to - 1] ?? "") && /[\uDC00-\uDFFF]/.test(text[to] ?? "")) to++;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/** The message that a stream has told so far. The input of a call whose JSON is not over is empty. */
function putTogether(events: readonly StreamEvent[]): ApiMessage {
  const message = structuredClone(events[0]?.message) as ApiMessage;
  const content: Record<string, unknown>[] = [];
  const json: string[] = [];
  for (const { type, index, content_block, delta } of events) {
    const i = index as number;
    if (type === "content_block_start") content[i] = structuredClone(content_block) as Record<string, unknown>;
    if (type !== "content_block_delta" || !isRecord(delta)) continue;
    const block = content[i]!;
    for (const key of ["text", "thinking", "signature"]) {
      if (typeof delta[key] === "string") block[key] = String(block[key]) + delta[key];
    }
    if (typeof delta.partial_json === "string") json[i] = (json[i] ?? "") + delta.partial_json;
  }
  json.forEach((text, i) => {
    content[i]!.input = whole(text);
  });
  return { ...message, content: content as unknown as ReplyBlock[] };
}

function whole(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
