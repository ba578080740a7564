/** Every style, and what it claims to be good for. A style is graded on all that it claims and on nothing else. Only for tests. */
import { type Conversation, conversations } from "./conversations.ts";
import type { Handed } from "./programs.ts";

export interface Style extends Handed {
  /** What a failing test calls it. */
  name: string;
  /** Exercises of the kit it could be an answer to; none for one that differs from another only where no exercise leads. */
  exercises: readonly string[];
  /** Conversations of the whole harness it gets on with. */
  claims: readonly Conversation[];
}

const LOOP = ["2.3", "2.4", "2.5"];
/** Those with a gate for migrations. */
const GATED = [...LOOP, "2.6"];

const SIMPLE: Conversation[] = [
  "no-call",
  "one-call-a-turn",
  "parallel-calls",
  "calls-without-text",
  "thinks-first",
  "redacted-thinking",
  "empty-end",
  "stop-sequence",
  "unknown-stop-reason",
  "rate-limited",
  "overloaded",
];
const FAILING: Conversation[] = [
  "tool-throws",
  "one-of-two-throws",
  "fails-at-first",
  "unknown-tool",
  "unknown-beside-known",
];
const PAUSED: Conversation[] = ["paused-once", "paused-twice"];
const BROKEN_STREAMS: Conversation[] = ["mid-stream-error", "cut-stream"];
/** The tool runner is not among those that get on with broken streams: it leaves them to whoever called it. */
const STREAMED = Object.keys(conversations) as Conversation[];
const LANDS: Conversation[] = ["one-call-a-turn", "one-of-two-throws", "endless"];
const FULL = STREAMED.filter((name) => !BROKEN_STREAMS.includes(name));

const plain: Style[] = [
  style("while", LOOP, SIMPLE),
  style("do-while", LOOP, [...SIMPLE, ...FAILING]),
  style("capped-for", LOOP, FULL),
  style("for-ever", LOOP, FULL),
  style("recursive-mutating", LOOP, [...SIMPLE, ...FAILING, ...PAUSED]),
  style("recursive-pure", LOOP, FULL),
  style("generator", LOOP, FULL),
  style("stream-final-message", LOOP, STREAMED),
  style("raw-events", LOOP, STREAMED),
  style("class", GATED, FULL),
  style("helpers", GATED, FULL),
  style("immutable", LOOP, FULL),
  style("async-reduce", LOOP, FULL),
  style("later-await", LOOP, [...SIMPLE, ...FAILING]),
  style("then-chain", LOOP, [...SIMPLE, ...FAILING]),
  style("raw-fetch", LOOP, FULL),
  style("raw-sse", LOOP, STREAMED),
  style("module-client", LOOP, FULL),
  style("retrying-host", LOOP, FULL),
  style("dispatch-table", GATED, [...SIMPLE, ...FAILING]),
  style("default-export", LOOP, SIMPLE),
  style("object-export", LOOP, SIMPLE),
  style("cut-call-answered", LOOP, FULL),
  style("raised-limit", LOOP, FULL),
  style("words-beside", LOOP, [...SIMPLE, ...FAILING]),
  style("text-after-results", LOOP, SIMPLE),
  style("soft-cap", LOOP, LANDS),
  style("at-the-cap", LOOP, ["one-call-a-turn", "endless"]),
  style("tool-runner-awaited", LOOP, FULL),
  style("tool-runner-beta-tool", LOOP, FULL),
  style("tool-runner-iterated", LOOP, FULL),
  style("tool-runner-streamed", LOOP, FULL),
];

const UNTHREADED = { "max_iterations: 10,": "max_iterations: 10,\n    thread: false," };
const unthreaded = ["tool-runner-awaited", "tool-runner-iterated", "tool-runner-streamed"].map(
  (program): Style => ({
    name: `${program}, thread: false`,
    program,
    edits: UNTHREADED,
    exercises: ["2.3"],
    claims: FULL,
  }),
);

const landing = [
  ["tools: []", "callModel({ messages, tools: [] })"],
  ["tool_choice: none", 'callModel({ messages, tools, tool_choice: { type: "none" } })'],
].map(
  ([how, request]): Style => ({
    name: `soft-cap, ${how}`,
    program: "soft-cap",
    edits: { "callModel({ messages })": request! },
    exercises: [],
    claims: LANDS,
  }),
);

const GIVES_UP = 'throw new Error("no answer within ten turns")';
/** Other last lines of `at-the-cap` that say why there is no answer. */
const reasons = [
  'return { status: "gave up", turns: 10, messages }',
  "return reply",
  "return reply?.content",
  'return "I stopped after ten turns without an answer."',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
  "return `I gave up after ten turns. The last I heard: ${textOf(reply!)}`",
  'return { answer: null, error: "limit" }',
  'throw "limit"',
].map(atTheCap);

/** Last lines that say nothing: all they lose is the criterion that asks for a reason. */
export const silent: readonly Style[] = ["return null", "return undefined", "return"].map(atTheCap);

/** Styles that must get everything they claim. */
export const styles: readonly Style[] = [...plain, ...unthreaded, ...landing, ...reasons];

function style(program: string, exercises: readonly string[], claims: readonly Conversation[]): Style {
  return { name: program, program, exercises, claims };
}

function atTheCap(line: string): Style {
  return {
    name: `at-the-cap, ${line}`,
    program: "at-the-cap",
    edits: { [GIVES_UP]: line },
    exercises: [],
    claims: ["endless"],
  };
}
