import { isToolUse, type ToolUseBlock } from "../trace/api.ts";
import type { Trace } from "../trace/events.ts";
import type { Behaviour, Scenario, ScriptCall } from "../trace/scenario.ts";
import { createNonces, PLACES } from "./nonce.ts";
import { replyAfter, runSeed, unknownTool } from "./scenario.ts";

/** What a tool call answers, and what the tool does. */
export interface ToolRun {
  /**
   * The tool_use that was delivered, has not been run and asks for just this; null when none does. Of several the first of
   * the latest reply: an older reply was cut, declined or lost, and the model has asked for the same once more.
   */
  answers: string | null;
  behaviour: Behaviour;
}

/** A delivered tool_use, and the place in the script it came from. */
interface Delivered {
  id: string;
  name: string;
  input: unknown;
  call: ScriptCall;
  /** The same for every delivery of one scripted call. */
  place: string;
  /** `seq` of the reply it came in. */
  reply: number;
}

/**
 * What a tool does when the host runs it.
 * The nth run of a scripted call shows its nth behaviour, the last one repeats. Runs are told apart by name and input:
 * a run that no open tool_use asks for is one more run of the call that was run last.
 * Takes any name and input and never throws.
 * @param trace the run so far, without this tool call
 */
export function runTool(scenario: Scenario, trace: Trace, name: string, input: unknown): ToolRun {
  const calls = trace.filter((event) => event.type === "tool-call");
  const answered = new Set(calls.map((call) => call.answers));
  const delivered = deliveredCalls(scenario, trace);
  const same = delivered.filter((call) => call.name === name && sameInput(call.input, input));
  const waiting = same.filter((call) => !answered.has(call.id));
  const open = waiting.find(({ reply }) => reply === waiting.at(-1)?.reply);
  const answers = open?.id ?? null;

  const declared = scenario.tools.some((tool) => tool.name === name);
  const surprise = (message: (nonce: string) => string): ToolRun => {
    const nonce = createNonces(runSeed(scenario))(PLACES.surprise + calls.length);
    return { answers, behaviour: { kind: "throws", takesMs: 0, message: message(nonce), nonce } };
  };
  if (!declared) return surprise((nonce) => unknownTool(shorten(String(name)), nonce));

  // Which scripted call each run so far was one of.
  const runs: Delivered[] = [];
  const byId = new Map(same.map((call) => [call.id, call]));
  for (const call of calls) {
    const asked = call.answers === null ? null : byId.get(call.answers);
    const again = call.answers === null && call.name === name && sameInput(same[0]?.input, call.input);
    const run = asked ?? (again ? runs.at(-1) : null);
    if (run) runs.push(run);
  }

  const current = open ?? runs.at(-1);
  if (!current) return surprise((nonce) => `${name}: unexpected input ${describe(input)} (${nonce})`);
  const earlier = runs.filter((run) => run.place === current.place).length;
  const behaviour = current.call.does[Math.min(earlier, current.call.does.length - 1)]!;
  return { answers, behaviour };
}

/** Every tool_use delivered so far, oldest first; those of a broken stream only once their input was all there. */
function deliveredCalls(scenario: Scenario, trace: Trace): Delivered[] {
  return trace.flatMap((event) => {
    const message = event.type === "reply" ? (event.message ?? event.broke?.begun) : null;
    if (event.type !== "reply" || !message || event.entry === null) return [];
    // What a broken stream had begun to say is the next reply of the script.
    const index = event.broke ? replyAfter(scenario, event.entry) : event.entry;
    const entry = index === null ? null : scenario.entry(index);
    if (entry?.kind !== "reply") return [];
    const scripted = entry.content.filter((block): block is ScriptCall => block.type === "tool_use");
    const asked = message.content.filter((block): block is ToolUseBlock => isToolUse(block));
    return asked.flatMap(({ id, name, input }, c) => {
      const call = scripted[c];
      if (!call || (event.broke && !same(call.input, input))) return [];
      return [{ id, name, input, call, place: `${index}/${c}`, reply: event.seq }];
    });
  });
}

/**
 * Whether a tool was given the input the model asked for. As deep as the asked one and no deeper, so what the host passes
 * may be anything. A tool without operands may be called with nothing.
 */
function sameInput(asked: unknown, given: unknown): boolean {
  if ((given === null || given === undefined) && isPlain(asked)) return Object.keys(asked).length === 0;
  return same(asked, given);
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The start of an input as JSON. */
function describe(input: unknown): string {
  try {
    return shorten(JSON.stringify(input) ?? "undefined");
  } catch {
    // Nested deeper than JSON.stringify can go.
    return "…";
  }
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
