/**
 * The part of the Messages API's JSON that a trace holds.
 * Own types, not the SDK's: a trace must be readable without the SDK, and a request body comes from
 * untrusted code, so everything the API itself would not vouch for is `unknown`.
 */

export interface TextBlock {
  type: "text";
  text: string;
}

export interface ThinkingBlock {
  type: "thinking";
  thinking: string;
  signature: string;
}

/** Thinking that the API hands out encrypted. It goes back as it came. */
export interface RedactedThinkingBlock {
  type: "redacted_thinking";
  data: string;
}

export interface ToolUseBlock {
  type: "tool_use";
  id: string;
  name: string;
  input: unknown;
}

export interface ToolResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content?: unknown;
  is_error?: boolean;
}

/** A tool that the API runs itself: the host never answers it. While a turn is paused it has no result yet. */
export interface ServerToolUseBlock {
  type: "server_tool_use";
  id: string;
  name: string;
  input: unknown;
}

/** What such a tool found, in the model's own turn. */
export interface ServerToolResultBlock {
  type: "web_search_tool_result";
  tool_use_id: string;
  content: unknown;
}

/** What the API has made of a conversation that grew too long, when it hands the turn back for that. */
export interface CompactionBlock {
  type: "compaction";
  content: string | null;
}

/** A block of a reply. */
export type ReplyBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | ServerToolResultBlock
  | CompactionBlock;

/** A block of a request: the known ones, or any other object with a type. */
export type Block = ReplyBlock | ToolResultBlock | { type: string; [key: string]: unknown };

/** One message of an effective history: string content is turned into one text block. */
export interface HistoryMessage {
  role: "user" | "assistant";
  content: Block[];
}

export type StopReason =
  | "end_turn"
  | "tool_use"
  | "max_tokens"
  | "stop_sequence"
  | "pause_turn"
  | "refusal"
  | "model_context_window_exceeded"
  | "compaction"
  | (string & {});

/** The assistant message of a 200 reply, as the API sends it. */
export interface ApiMessage {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: ReplyBlock[];
  stop_reason: StopReason;
  stop_sequence: string | null;
  usage: { input_tokens: number; output_tokens: number; [key: string]: unknown };
  [key: string]: unknown;
}

/** The `error` member of an error reply. */
export interface ApiError {
  type: string;
  message: string;
  /** Where the API has a name of its own for what is wrong. */
  details?: { error_code: string };
}

/** A tool as a request's `tools` declares it. */
export interface ToolDefinition {
  name: string;
  description: string;
  input_schema: { type: "object"; [key: string]: unknown };
}

export function isToolUse(block: { type: string }): block is ToolUseBlock {
  return block.type === "tool_use";
}

export function isToolResult(block: { type: string }): block is ToolResultBlock {
  return block.type === "tool_result";
}

export function isText(block: { type: string }): block is TextBlock {
  return block.type === "text";
}
