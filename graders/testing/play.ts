/** Plays small agents against the fake model in this process, so that a test reads like the loop it is about. */
import { stopWhen } from "../diagnoses/catalog/catalog.ts";
import { converse } from "../model/conversation.ts";
import { openScenario } from "../model/scenario.ts";
import { parseScenario } from "../model/scenario-file.ts";
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
  tools: readonly ToolDefinition[];
  userInput: string;
}

export type Agent = (hands: Hands) => unknown;

export interface Setting {
  /** The conversation; two calls in two turns when left out. */
  script?: unknown;
  /** The conversation, opened already. */
  scenario?: Scenario;
  /** What else the agent's module has held. */
  beside?: readonly Scenario[];
  /** Let it go on whatever the diagnoses say of it; for programs that end by themselves. */
  unstopped?: boolean;
  cap?: number | null;
  /** HTTP attempts of one call of the model, as the SDK makes them. */
  attempts?: number;
  /** What the run ended with when only a sandbox could have seen it. */
  ended?: Partial<Pick<Run, "outcome" | "kind" | "at" | "measured" | "error">>;
  blocked?: { what: "network" | "filesystem" | "process"; detail: string };
}

/** Turns of the event loop without an event after which a run counts as over: all here happens in microtasks. */
const QUIET_TURNS = 4;

/**
 * Runs an agent to its end: settled and quiet, parked by a stop condition, or waiting for nothing.
 * The agent's own text is the run's source.
 */
export async function play(agent: Agent, setting: Setting = {}): Promise<Run> {
  const scenario = setting.scenario ?? openTestScript(setting.script);
  const talk = converse(scenario);
  const { trace } = talk;
  let stopped: string | null = null;
  const never = new Promise<never>(() => {});
  const parked = () => {
    if (setting.unstopped) return false;
    stopped ??= stopWhen(trace, scenario, { cap: setting.cap ?? null });
    return stopped !== null;
  };

  const attempt = async (request: Record<string, unknown>, number: number): Promise<ApiMessage> => {
    // The SDK puts a request together some microtasks after it was called.
    for (let i = 0; i < 10; i++) await null;
    const body: unknown = JSON.parse(JSON.stringify({ model: "claude-sonnet-5-5", max_tokens: 1024, ...request }));
    const reply = talk.send({ body, attempt: number });
    if (parked()) return never;
    if (reply.message !== null) return structuredClone(reply.message);
    if (reply.kind === "fault" && number < (setting.attempts ?? 3)) return attempt(request, number + 1);
    const { status, error } = reply;
    const said = JSON.stringify({ type: "error", error });
    throw Object.assign(new Error(`${status} ${said}`), {
      name: status === 400 ? "BadRequestError" : "InternalServerError",
      status,
    });
  };

  const executeTool = async (name: string, input: unknown): Promise<unknown> => {
    const behaviour = talk.run(name, input);
    if (parked() || behaviour.kind === "hangs") return never;
    for (let i = 0; i < 3; i++) await null;
    if (behaviour.kind === "throws") throw new Error(behaviour.message);
    return structuredClone(behaviour.value);
  };

  const hands: Hands = {
    callModel: (request) => attempt(request, 1),
    executeTool,
    tools: scenario.tools,
    userInput: scenario.userInput,
  };
  if (setting.blocked) talk.add({ type: "blocked", ...setting.blocked, at: null });
  let ending: { outcome: Outcome; kind: string | null } | null = null;
  let error: Run["error"] = null;
  (async () => agent(hands))().then(
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
    at: null,
    error,
    measured: {},
    ...end,
    ...setting.ended,
    counts: countsOf(trace),
    printed: { head: [], tail: [], omittedLines: 0 },
    source: { files: [{ name: "agent.ts", text: `export const runAgent = ${agent};\n` }] },
    ms: 0,
  };
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
