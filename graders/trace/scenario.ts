import type { StopReason, ToolDefinition } from "./api.ts";
import type { Lang, Text } from "./text.ts";

/**
 * A scenario opened for one run: one language, one seed, every `{{variable}}` filled in.
 * `model/` makes it from the JSON file; everyone else only reads it.
 */
export interface Scenario {
  /** File name without `.json`. */
  readonly name: string;
  /** What it plays, in a few words. */
  readonly title: Text;
  readonly lang: Lang;
  readonly seed: string;
  readonly userInput: string;
  readonly tools: readonly ToolDefinition[];
  /** How many entries the script has; an endless script repeats its tail after them. */
  readonly length: number;
  /** Index of the entry the script goes back to after its last one; null when the script ends. */
  readonly endlessFrom: number | null;
  /** The entry at an index of the unrolled script. Past the end: the tail again (endless, new operands), else the last reply. */
  entry(index: number): Entry;
  /** What `runAgent` is given beside the prompt and the tools. */
  readonly options: RunOptions;
  /** The model makes no progress, and never will: a loop should notice before its cap does. */
  readonly stuck: boolean;
  /** What an honest loop does; null where the script never ends. */
  readonly expected: Expected | null;
  /** Refusals the real API is not known for and that this run plays all the same, by name. None when left out. */
  readonly uncertain?: readonly string[];
  /**
   * The loop is known to offer tools, so that a request without any that holds nothing of this conversation is none of its
   * turns: a router's, a guardrail's, a verifier's. Left out: every request is a turn.
   */
  readonly asides?: boolean;
}

/** The third argument of `runAgent`, for exercises about giving up in time. Null: not given. */
export interface RunOptions {
  /** Virtual milliseconds after which `options.signal` fires. */
  readonly abortAfterMs: number | null;
  /** `options.budget`: tokens, input and output, that the conversation may use in all. */
  readonly budget: number | null;
}

export interface Expected {
  /** Replies with a Message, first to last. */
  callModel: number;
  /** Tool calls the host should run: those asked for, less those the host must refuse and those that do not exist. */
  executeTool: number;
  /** Messages in the last request: the prompt, and two for every turn that asked for tools. */
  messages: number;
}

export type Entry = ReplyEntry | FaultEntry;

export interface ReplyEntry {
  kind: "reply";
  content: readonly ScriptBlock[];
  stopReason: StopReason;
}

/** One HTTP attempt that fails on the server's side. */
export interface FaultEntry {
  kind: "fault";
  status: number;
  error: { type: string; message: string };
  retryAfterMs: number | null;
  /**
   * `mid-stream`: the reply begins, then an `error` event follows. `cut`: it begins, and the stream just ends.
   * A request that asked for no stream meets the error as an HTTP status in either case.
   */
  when: "at-once" | "mid-stream" | "cut";
}

/** `nonce` is a token that occurs in the text and nowhere else in the run: texts are matched by it, never by equality. */
export type ScriptBlock =
  | { type: "thinking"; thinking: string; nonce: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "text"; text: string; nonce: string }
  | ScriptSearch
  | ScriptCall;

/** The model searches the web by itself: a `server_tool_use` and its result. In a paused turn the result opens the next reply. */
export interface ScriptSearch {
  type: "search";
  query: string;
  finds: string;
  nonce: string;
}

export interface ScriptCall {
  type: "tool_use";
  name: string;
  input: Readonly<Record<string, unknown>>;
  /** What the tool does on its first run, second run, …; the last one is repeated. Never empty. */
  does: readonly Behaviour[];
  /** The host must refuse this call: it must not be run, and the model must be told with an error result. */
  refuse: boolean;
  /** The model made this tool up: nobody can run it. Whoever tries is told so in the student's own process. */
  invented: boolean;
}

/** What one run of a tool does. `takesMs` is virtual time. */
export type Behaviour = { takesMs: number } & (
  | { kind: "returns"; value: unknown; nonce: string }
  | { kind: "throws"; message: string; nonce: string }
  | { kind: "hangs" }
);
