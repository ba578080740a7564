import type { ToolDefinition } from "../trace/api.ts";
import type { Behaviour, Entry, Expected, FaultEntry, ReplyEntry, Scenario, ScriptBlock } from "../trace/scenario.ts";
import type { Lang, Text } from "../trace/text.ts";
import { createNonces, PLACES } from "./nonce.ts";
import type { FileBehaviour, FileCall, FileFault, FileReply, FileVariable, ScenarioFile } from "./scenario-file.ts";
import { createRandom } from "./seed.ts";
import { fillJson, fillText, type Json, localiseJson, type Values } from "./template.ts";

/**
 * Opens a scenario for one run: draws its variables, fills them in, keeps one language.
 * The same name, seed and language give the very same scenario; the language changes no drawn value and no nonce.
 * @param file what `parseScenario` returned
 * @param options.name file name without `.json`
 */
export function openScenario(
  file: ScenarioFile,
  { name, seed, lang }: { name: string; seed: string; lang: Lang },
): Scenario {
  const length = file.replies.length;
  const endlessFrom = file.endless?.from ?? null;
  const nonces = createNonces(runSeed({ name, seed }));
  const places = createPlaces(file);
  const entries = new Map<number, Entry>();

  const valuesOf = (lap: number): Values => {
    const drawn = Object.entries(file.vars ?? {}).map(([key, variable]) => {
      return [key, draw(variable, `${runSeed({ name, seed })}/vars/${lap}/${key}`)];
    });
    return Object.fromEntries([...drawn, ["lap", lap]]);
  };

  const entry = (index: number): Entry => {
    const at = endlessFrom === null ? Math.min(index, length - 1) : index;
    const { base, lap } = locate(at, length, endlessFrom ?? 0);
    const known = entries.get(at);
    if (known) return known;
    const scripted = file.replies[base];
    if (!scripted) throw new RangeError(`entry: ${index} is not an index of the script`);
    const writer: Writer = {
      lang,
      values: valuesOf(lap),
      nonce: (place) => nonces(PLACES.script + at * places.perEntry + place),
    };
    const opened = "fault" in scripted ? openFault(scripted) : openReply(scripted, writer, places);
    entries.set(at, opened);
    return opened;
  };

  const values = valuesOf(1);
  return {
    name,
    title: typeof file.title === "string" ? { es: file.title, en: file.title } : file.title,
    lang,
    seed,
    userInput: fillText(say(file.userInput, lang), values),
    tools: file.tools.map((tool) => ({
      name: tool.name,
      description: fillText(say(tool.description, lang), values),
      input_schema: fillJson(localiseJson(tool.input_schema, lang), values) as ToolDefinition["input_schema"],
    })),
    length,
    endlessFrom,
    entry,
    expected: endlessFrom === null ? honestCounts(Array.from({ length }, (_, i) => entry(i))) : null,
  };
}

/** The seed of all that is drawn for one scenario of a run; ids and nonces come from it too. */
export function runSeed({ seed, name }: Pick<Scenario, "seed" | "name">): string {
  return `${seed}/${name}`;
}

/** Whether the model has said all it had to say: false when the script's next entry follows even on the same history. */
export function isComplete(entry: ReplyEntry): boolean {
  return !["max_tokens", "pause_turn", "refusal"].includes(entry.stopReason);
}

/** What is needed to write an entry in one language, with the values of one lap. */
interface Writer {
  lang: Lang;
  values: Values;
  /** The nonce of the entry's nth place. */
  nonce(place: number): string;
}

/** Numbers the places of an entry that hold a nonce: thinking, text, then each behaviour of each call. */
interface Places {
  perEntry: number;
  behaviour(call: number, behaviour: number): number;
}

const THINKING = 0;
const TEXT = 1;

function createPlaces(file: ScenarioFile): Places {
  const calls = file.replies.flatMap((reply) => ("fault" in reply ? [] : [reply.calls ?? []]));
  const perCall = Math.max(1, ...calls.flat().map((call) => (Array.isArray(call.does) ? call.does.length : 1)));
  return {
    perEntry: 2 + perCall * Math.max(0, ...calls.map((list) => list.length)),
    behaviour: (call, behaviour) => 2 + call * perCall + behaviour,
  };
}

/** Which entry of the file an index of the unrolled script is, and in which lap. */
function locate(index: number, length: number, from: number): { base: number; lap: number } {
  if (index < length) return { base: index, lap: 1 };
  const past = index - length;
  const tail = length - from;
  return { base: from + (past % tail), lap: 2 + Math.floor(past / tail) };
}

function draw(variable: FileVariable, seed: string): string | number {
  const random = createRandom(seed);
  return Array.isArray(variable) ? random.pick(variable) : random.int(variable.from, variable.to);
}

function openReply(reply: FileReply, writer: Writer, places: Places): ReplyEntry {
  const content: ScriptBlock[] = [];
  if (reply.thinking !== undefined) {
    const nonce = writer.nonce(THINKING);
    content.push({ type: "thinking", thinking: write(reply.thinking, writer, nonce), nonce });
  }
  if (reply.text !== undefined) {
    const nonce = writer.nonce(TEXT);
    content.push({ type: "text", text: write(reply.text, writer, nonce), nonce });
  }
  reply.calls?.forEach((call, c) => {
    content.push({
      type: "tool_use",
      name: call.tool,
      input: fillJson(call.input, writer.values) as Record<string, Json>,
      does: behavioursOf(call).map((behaviour, b) =>
        openBehaviour(behaviour, writer, writer.nonce(places.behaviour(c, b))),
      ),
      refuse: call.refuse ?? false,
    });
  });
  return { kind: "reply", content, stopReason: reply.stopReason ?? (reply.calls ? "tool_use" : "end_turn") };
}

function behavioursOf(call: FileCall): FileBehaviour[] {
  if (call.does === undefined)
    return [call.invented ? { throws: unknownTool(call.tool, "{{nonce}}") } : { returns: HARM_DONE }];
  return Array.isArray(call.does) ? call.does : [call.does];
}

/** What running a tool that does not exist throws. English, as the errors of a program are. */
export function unknownTool(name: string, nonce: string): string {
  return `Unknown tool: ${name} (${nonce})`;
}

/** What a call returns that should have been refused, where the file does not say. */
const HARM_DONE: { es: string; en: string } = {
  es: "Hecho, sin que nadie lo aprobara: esta llamada debía rechazarse ({{nonce}})",
  en: "Done, though nobody approved it: this call should have been refused ({{nonce}})",
};

function openBehaviour(behaviour: FileBehaviour, writer: Writer, nonce: string): Behaviour {
  if ("hangs" in behaviour) return { kind: "hangs", takesMs: 0 };
  const takesMs = behaviour.takesMs ?? 0;
  if ("throws" in behaviour) return { kind: "throws", takesMs, message: write(behaviour.throws, writer, nonce), nonce };
  const value = fillJson(localiseJson(behaviour.returns, writer.lang), { ...writer.values, nonce });
  return { kind: "returns", takesMs, value, nonce };
}

const FAULTS: Record<FileFault["fault"], FaultEntry["error"]> = {
  429: {
    type: "rate_limit_error",
    message: "This request would exceed your organization's rate limit of 80,000 input tokens per minute.",
  },
  500: { type: "api_error", message: "Internal server error" },
  529: { type: "overloaded_error", message: "Overloaded" },
};

function openFault({ fault, retryAfterMs }: FileFault): FaultEntry {
  return { kind: "fault", status: fault, error: { ...FAULTS[fault] }, retryAfterMs: retryAfterMs ?? null };
}

function write(text: string | Text, writer: Writer, nonce: string): string {
  return fillText(say(text, writer.lang), { ...writer.values, nonce });
}

function say(text: string | Text, lang: Lang): string {
  return typeof text === "string" ? text : text[lang];
}

/**
 * Plays the script as an honest loop does: runs what it is asked to (not what was cut short or declined), sends the same
 * request again after `max_tokens`, pushes a paused turn and goes on, and stops at the first reply that ends the turn.
 */
function honestCounts(entries: readonly Entry[]): Expected {
  const expected: Expected = { callModel: 0, executeTool: 0, messages: 1 };
  let last: "user" | "assistant" = "user";
  for (const entry of entries) {
    if (entry.kind === "fault") continue;
    expected.callModel++;
    if (entry.stopReason === "max_tokens") continue;
    if (entry.stopReason !== "tool_use" && entry.stopReason !== "pause_turn") break;
    // A paused turn and its continuation are one message once the API has merged them.
    if (last === "user") expected.messages++;
    last = "assistant";
    if (entry.stopReason === "pause_turn") continue;
    expected.executeTool += entry.content.filter((block) => block.type === "tool_use" && !block.refuse).length;
    expected.messages++;
    last = "user";
  }
  return expected;
}
