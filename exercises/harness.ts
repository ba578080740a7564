/**
 * The door to the model and to the tools: what every exercise imports as `#harness`.
 * Real code over the real SDK. In the kit, a scripted model answers and the host fills the toolkit;
 * with an API key and a toolkit of your own (`connectToolkit`), the same file talks to the real API.
 */
import Anthropic from "@anthropic-ai/sdk";

export type Message = Anthropic.Message;
export type MessageParam = Anthropic.MessageParam;
export type Tool = Anthropic.Tool;
export type ContentBlock = Anthropic.ContentBlock;
export type TextBlock = Anthropic.TextBlock;
export type ThinkingBlock = Anthropic.ThinkingBlock;
export type ToolUseBlock = Anthropic.ToolUseBlock;
export type ToolResultBlockParam = Anthropic.ToolResultBlockParam;

/** The model that answers when a request names none. */
const DEFAULT_MODEL = "claude-sonnet-5-5";

/** The most tokens a reply may have when a request does not say. */
const DEFAULT_MAX_TOKENS = 1024;

/** A request of the Messages API in which `model` and `max_tokens` may be left out. */
export type ModelRequest = Omit<Anthropic.MessageCreateParamsNonStreaming, "model" | "max_tokens"> &
  Partial<Pick<Anthropic.MessageCreateParamsNonStreaming, "model" | "max_tokens">>;

/** What a tool may be told beside its input. */
export interface ToolOptions {
  /** Aborts the call, for tools that can be aborted. */
  signal?: AbortSignal;
}

/** One tool, as code: takes the input the model wrote, returns what it found, rejects when it fails. */
export type ToolFunction = (input: unknown, options?: ToolOptions) => Promise<unknown>;

/** The SDK's own client, for whoever wants more of it than `callModel`: streams, other endpoints, options. */
export const client = new Anthropic();

/**
 * Asks the model once: `client.messages.create`, with a default model and a default `max_tokens`.
 * @param request the conversation so far, the tools on offer, and anything else the API takes
 * @param options the SDK's options for one request, such as `signal`
 * @returns the model's reply, whole; why it stopped is in `stop_reason`
 * @throws the SDK's errors: an `APIError` with `status` when the API refuses the request or fails
 */
export function callModel(request: ModelRequest, options?: Anthropic.RequestOptions): Promise<Message> {
  return client.messages.create({ model: DEFAULT_MODEL, max_tokens: DEFAULT_MAX_TOKENS, ...request }, options);
}

/** The tools that can be run, by name: for loops that dispatch for themselves. `executeTool` reads the same record. */
export const toolkit: Record<string, ToolFunction> = {};

/**
 * Runs one tool.
 * @param name the tool, as the model named it
 * @param input what the model wrote for it
 * @returns whatever the tool returns: not always a string
 * @throws the tool's own error; `Unknown tool: <name>` when there is no such tool
 */
export async function executeTool(name: string, input: unknown, options?: ToolOptions): Promise<unknown> {
  const run = Object.hasOwn(toolkit, name) ? toolkit[name] : undefined;
  if (run === undefined) throw new Error(`Unknown tool: ${name}`);
  return run(input, options);
}

/** For the host: from now on these are the tools, and no others. */
export function connectToolkit(tools: Readonly<Record<string, ToolFunction>>): void {
  for (const name of Object.keys(toolkit)) delete toolkit[name];
  Object.assign(toolkit, tools);
}

/** For a loop that gives up: says why, and keeps the conversation so that the work done is not lost. */
export class AgentStopped extends Error {
  override readonly name = "AgentStopped";
  /** Why the loop gave up, in a word or two. */
  readonly reason: string;
  /** The conversation up to there. */
  readonly messages: readonly MessageParam[] | undefined;

  constructor(reason: string, messages?: readonly MessageParam[]) {
    super(reason);
    this.reason = reason;
    this.messages = messages;
  }
}
