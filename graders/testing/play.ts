/** Plays small agents against the fake model in this process, so that a test reads like the loop it is about. */
import { stopWhen } from "../diagnoses/catalog/catalog.ts";
import { mayPass } from "../diagnoses/find/faults.ts";
import { converse, type ToolsSeen } from "../model/conversation.ts";
import type { Answer } from "../model/model.ts";
import { openScenario } from "../model/scenario.ts";
import { parseScenario } from "../model/scenario-file.ts";
import type { StreamEvent } from "../model/stream.ts";
import type { ApiMessage, ToolDefinition } from "../trace/api.ts";
import { countsOf } from "../trace/counts.ts";
import type { Outcome, Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import { script, twoTurns } from "./scripts.ts";

/** What an agent is given. Requests and values are as loose as a student's. */
export interface Hands {
  callModel(request: Record<string, unknown>): Promise<ApiMessage>;
  // biome-ignore lint/suspicious/noExplicitAny: a tool returns anything, and a student reads it as they like
  executeTool(name: string, input: unknown): Promise<any>;
  /** The same request as a stream: its events, as they arrive. One that breaks off ends in an error, or just so. */
  stream(request: Record<string, unknown>): AsyncGenerator<StreamEvent>;
  print(line: string): void;
  tools: readonly ToolDefinition[];
  userInput: string;
  /** What `runAgent` is given as its third argument. */
  options: { signal: AbortSignal; budget: number | null };
}

export type Agent = (hands: Hands) => unknown;

export interface Setting {
  /** The conversation; two calls in two turns when left out. */
  script?: unknown;
  /** The conversation, opened already. */
  scenario?: Scenario;
  /** What else the agent's module has held. */
  beside?: readonly Scenario[];
  /** `results`: tools run where nobody watches, each with an answer of its own. */
  toolsSeen?: ToolsSeen;
  /** Let it go on whatever the diagnoses say of it; for programs that end by themselves. */
  unstopped?: boolean;
  cap?: number | null;
  /** What the exercise asks for. */
  demands?: Run["demands"];
  /** The signal fires once so many events have been written down. */
  abortAfter?: number;
  /** HTTP attempts of one call of the model, as the SDK makes them. */
  attempts?: number;
  /** What the run ended with when only a sandbox could have seen it. */
  ended?: Partial<Pick<Run, "outcome" | "kind" | "at" | "measured" | "error">>;
  blocked?: { what: "network" | "filesystem" | "process"; detail: string };
}

/** Microtasks that a request takes to be put together, and a tool to answer: the longer, as in a sandbox, whose tools take time. */
const REQUEST_TICKS = 10;
const TOOL_TICKS = 30;

/** Turns of the event loop without an event after which a run counts as over: all here happens in microtasks. */
const QUIET_TURNS = 4;

/**
 * Runs an agent to its end: settled and quiet, parked by a stop condition, or waiting for nothing.
 * The agent's own text is the run's source.
 */
export async function play(agent: Agent, setting: Setting = {}): Promise<Run> {
  const scenario = setting.scenario ?? openTestScript(setting.script);
  const talk = converse(scenario, setting.toolsSeen);
  const { trace } = talk;
  let stopped: string | null = null;
  const never = new Promise<never>(() => {});
  const parked = () => {
    if (setting.unstopped) return false;
    stopped ??= stopWhen(trace, scenario, { cap: setting.cap ?? null });
    return stopped !== null;
  };
  const aborting = new AbortController();
  const abortInTime = () => {
    if (aborting.signal.aborted || trace.length < (setting.abortAfter ?? Number.POSITIVE_INFINITY)) return;
    talk.add({ type: "abort" });
    aborting.abort();
  };

  /** Tools that have not come back, by their number. */
  const underWay = new Set<number>();

  const attempt = async (request: Record<string, unknown>, number: number): Promise<Answer> => {
    // The SDK puts a request together some microtasks after it was called.
    for (let i = 0; i < REQUEST_TICKS; i++) await null;
    const body: unknown = JSON.parse(JSON.stringify({ model: "claude-sonnet-5-5", max_tokens: 1024, ...request }));
    const reply = talk.send({ body, attempt: number, underWay: [...underWay] });
    if (parked()) return never;
    abortInTime();
    if (reply.message !== null) return reply;
    if (reply.kind === "fault" && reply.broke === null && mayPass(reply.status) && number < (setting.attempts ?? 3))
      return attempt(request, number + 1);
    return reply;
  };
  const callModel = async (request: Record<string, unknown>): Promise<ApiMessage> => {
    const reply = await attempt(request, 1);
    if (reply.message === null) throw errorFrom(reply);
    return structuredClone(reply.message);
  };
  async function* stream(request: Record<string, unknown>): AsyncGenerator<StreamEvent> {
    const reply = await attempt({ ...request, stream: true }, 1);
    if (reply.events === null) throw errorFrom(reply);
    for (const event of structuredClone(reply.events)) {
      await null;
      if (event.type === "error") throw errorFrom(reply);
      if (event.type !== "ping") yield event;
    }
  }

  const executeTool = async (name: string, input: unknown): Promise<unknown> => {
    // As `#harness` says it, in the student's own process: nobody else learns of it.
    if (!scenario.tools.some((tool) => tool.name === name)) throw new Error(`Unknown tool: ${name}`);
    if (setting.toolsSeen === "results") return `${name} did ${JSON.stringify(input)}`;
    const behaviour = talk.run(name, input);
    const number = countsOf(trace).executeTool;
    underWay.add(number);
    abortInTime();
    if (parked() || behaviour.kind === "hangs") return never;
    for (let i = 0; i < TOOL_TICKS; i++) await null;
    underWay.delete(number);
    if (behaviour.kind === "throws") throw new Error(behaviour.message);
    return structuredClone(behaviour.value);
  };

  const printed: string[] = [];
  const hands: Hands = {
    callModel,
    executeTool,
    stream,
    print: (line) => printed.push(line),
    tools: scenario.tools,
    userInput: scenario.userInput,
    options: { signal: aborting.signal, budget: scenario.options.budget },
  };
  if (setting.blocked) talk.add({ type: "blocked", ...setting.blocked, at: null });
  let ending: { outcome: Outcome; kind: string | null } | null = null;
  let error: Run["error"] = null;
  (async () => drain(await agent(hands)))().then(
    (value) => {
      talk.add({
        type: "settled",
        how: "returned",
        value: value === undefined ? null : JSON.parse(JSON.stringify(value)),
        error: null,
      });
      ending = { outcome: "returned", kind: null };
    },
    (thrown: unknown) => {
      error = errorOf(thrown);
      talk.add({ type: "settled", how: "threw", value: null, error });
      ending = { outcome: "threw", kind: null };
    },
  );
  for (let quiet = 0, seen = -1; quiet < QUIET_TURNS; quiet++) {
    await new Promise(setImmediate);
    if (trace.length !== seen) quiet = 0;
    seen = trace.length;
  }

  const end =
    stopped !== null
      ? { outcome: "looped" as const, kind: stopped }
      : (ending ?? { outcome: "stalled" as const, kind: "never-settles" });
  return {
    scenario,
    beside: setting.beside ?? [],
    trace,
    cap: setting.cap ?? null,
    demands: setting.demands ?? [],
    at: null,
    error,
    measured: {},
    ...end,
    ...setting.ended,
    counts: countsOf(trace),
    printed: { head: printed, tail: [], omittedLines: 0 },
    source: { files: [{ name: "agent.ts", text: `export const runAgent = ${agent};\n` }] },
    ms: 0,
  };
}

/**
 * Holds several conversations with the one agent, as one import of a submission does: what it keeps outside of itself they share.
 * @param order one after the other, up to the first that does not settle; or at once
 */
export async function playBeside(
  agent: Agent,
  scenarios: readonly Scenario[],
  order: "in-turn" | "at-once",
  setting: Omit<Setting, "script" | "scenario" | "beside"> = {},
): Promise<Run[]> {
  if (order === "at-once") {
    const others = (scenario: Scenario) => scenarios.filter((other) => other !== scenario);
    return Promise.all(scenarios.map((scenario) => play(agent, { ...setting, scenario, beside: others(scenario) })));
  }
  const runs: Run[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const run = await play(agent, { ...setting, scenario, beside: scenarios.slice(0, index) });
    runs.push(run);
    if (run.outcome !== "returned" && run.outcome !== "threw") break;
  }
  return runs;
}

/** What the SDK throws of an answer that is no Message. */
function errorFrom({ status, error, broke }: Answer): Error {
  return Object.assign(new Error(`${status} ${JSON.stringify({ type: "error", error })}`), {
    name: status === 400 ? "BadRequestError" : "InternalServerError",
    status,
    // What a stream had brought before it broke off. The SDK makes no second attempt at one.
    ...(broke && { begun: broke.begun }),
  });
}

/** A generator is read to its end, as the sandbox does. */
async function drain(value: unknown): Promise<unknown> {
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value;
  const iterator = (value as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  const yielded: unknown[] = [];
  for (;;) {
    const step = await iterator.next();
    if (step.done) return { yielded, returned: step.value };
    yielded.push(step.value);
  }
}

/** Opens a script as every test of a diagnosis does. */
export function openTestScript(json: unknown = script(twoTurns), name = "test"): Scenario {
  return openScenario(parseScenario(json, name), { name, seed: "seed", lang: "en" });
}

/** What a sandbox tells of whatever was thrown: a value that is no object has no name. */
function errorOf(thrown: unknown): NonNullable<Run["error"]> {
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message, stack: [] };
  if (typeof thrown !== "object" || thrown === null) return { name: "", message: String(thrown), stack: [] };
  return { name: "Error", message: JSON.stringify(thrown), stack: [] };
}
