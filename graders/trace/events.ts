import type { ApiError, ApiMessage, HistoryMessage } from "./api.ts";

/** A place in the student's own source: 1-based line and column of the file they wrote. */
export interface Spot {
  file: string;
  line: number;
  column: number;
}

/** `seq` counts all events of the run from 0; `turn` is how many replies with a Message had been given when it happened. */
interface Base {
  seq: number;
  turn: number;
}

/** A model request arrived. `at`: the line of the student's code that made it, where its stack shows one. */
export interface RequestEvent extends Base {
  type: "request";
  /** As sent. Untrusted: anything may be in it. */
  body: unknown;
  /** Effective: string content as blocks, adjacent messages of one role merged. Empty when `body.messages` is not a list. */
  history: HistoryMessage[];
  /** Names of the tools offered, effective. */
  tools: string[];
  /** 1 for the first HTTP attempt, 2 for the SDK's first retry, … */
  attempt: number;
  /**
   * Numbers of the tool calls that had not come back to the code that made them when this was sent. The student's process
   * says so: it tells one mistake from another and is no evidence of anything. None when left out.
   */
  underWay?: readonly number[];
  at: Spot | null;
}

/** The model's answer to the request with `seq` = `request`. */
export interface ReplyEvent extends Base {
  type: "reply";
  request: number;
  status: number;
  /** `message`: HTTP 200. `rejection`: the request was not legal. `fault`: scripted failure of the server. */
  kind: "message" | "rejection" | "fault";
  message: ApiMessage | null;
  error: ApiError | null;
  /** Whether it went out as server-sent events. */
  streamed: boolean;
  /** A stream that broke off: what it had begun to say, and how it ended: with an `error` event, or just so. */
  broke: { begun: ApiMessage; how: "error" | "cut" } | null;
  /** Index in the unrolled script of the entry this reply came from; null for a rejection or an answer outside the script. */
  entry: number | null;
  /** Index of the entry that follows once the history holds this reply. */
  next: number;
  /** False for a reply that the script's next entry follows even when the history does not hold it. */
  complete: boolean;
  /** True when this is the script's last entry: nothing follows it. */
  final: boolean;
}

export interface ToolCallEvent extends Base {
  type: "tool-call";
  /** Number of this tool call in the run, from 1. */
  call: number;
  name: string;
  input: unknown;
  /** The delivered and not yet run tool_use this call answers, matched by name and input; null when no reply asked for it. */
  answers: string | null;
  /** The function that a stand-in stood in for, where it is not known to be a tool's. */
  standIn?: string;
  at: Spot | null;
}

export interface ToolResultEvent extends Base {
  type: "tool-result";
  call: number;
  outcome:
    | { kind: "value"; value: unknown; nonce: string | null }
    | { kind: "error"; message: string }
    | { kind: "hung" };
}

/** The sandbox refused something. */
export interface BlockedEvent extends Base {
  type: "blocked";
  what: "network" | "filesystem" | "process";
  detail: string;
  at: Spot | null;
}

/** The signal that `runAgent` was given has fired: from here on nothing new should be begun. */
export interface AbortEvent extends Base {
  type: "abort";
}

/** The conversation was sent to be counted, not answered. It is no turn. */
export interface CountTokensEvent extends Base {
  type: "count-tokens";
  body: unknown;
  status: number;
  at: Spot | null;
}

/**
 * A request that is no part of the conversation was answered beside it: see `Scenario.asides`. It is no turn, and neither a
 * request nor a reply of the conversation.
 */
export interface AsideEvent extends Base {
  type: "aside";
  body: unknown;
  message: ApiMessage;
  at: Spot | null;
}

/** `runAgent` settled. */
export interface SettledEvent extends Base {
  type: "settled";
  how: "returned" | "threw";
  /** Returned: the value as JSON (see `answer.ts`). Threw: null. */
  value: unknown;
  error: ThrownError | null;
}

export interface ThrownError {
  name: string;
  message: string;
  /** Frames in the student's own files, innermost first. */
  stack: Spot[];
}

export type TraceEvent =
  | RequestEvent
  | ReplyEvent
  | ToolCallEvent
  | ToolResultEvent
  | BlockedEvent
  | AbortEvent
  | CountTokensEvent
  | AsideEvent
  | SettledEvent;

export type Trace = readonly TraceEvent[];
