import type { StopReason, ToolDefinition } from "../trace/api.ts";
import type {
  Behaviour,
  Entry,
  Expected,
  FaultEntry,
  ReplyEntry,
  Scenario,
  ScriptBlock,
  ScriptSearch,
} from "../trace/scenario.ts";
import type { Lang, Text } from "../trace/text.ts";
import { createNonces, PLACES } from "./nonce.ts";
import { UNCERTAIN_NAMES } from "./rules/uncertain.ts";
import type { FileBehaviour, FileCall, FileFault, FileReply, FileVariable, ScenarioFile } from "./scenario-file.ts";
import { createRandom } from "./seed.ts";
import { fillJson, fillText, type Json, localiseJson, type Values } from "./template.ts";

/**
 * Opens a scenario for one run: draws its variables, fills them in, keeps one language.
 * The same name, seed and language give the very same scenario; the language changes no drawn value and no nonce.
 * @param file what `parseScenario` returned
 * @param options.name file name without `.json`
 * @param options.uncertain refusals the real API is not known for, by name (`UNCERTAIN_NAMES`), that this run plays too
 * @throws {RangeError} a name of `uncertain` that is none
 */
export function openScenario(
  file: ScenarioFile,
  { name, seed, lang, uncertain = [] }: { name: string; seed: string; lang: Lang; uncertain?: readonly string[] },
): Scenario {
  const unknown = uncertain.find((refusal) => !UNCERTAIN_NAMES.includes(refusal));
  if (unknown !== undefined) throw new RangeError(`uncertain: "${unknown}" is none of ${UNCERTAIN_NAMES.join(", ")}`);
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
      // What the tools of a stuck model give is the same in every lap, to the letter: a loop may compare it.
      nonce: (place) =>
        nonces(PLACES.script + (file.stuck && places.isTools(place) ? base : at) * places.perEntry + place),
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
    options: { abortAfterMs: file.options?.abortAfterMs ?? null, budget: file.options?.budget ?? null },
    stuck: file.stuck ?? false,
    expected: endlessFrom === null ? honestCounts(Array.from({ length }, (_, i) => entry(i))) : null,
    ...(uncertain.length > 0 && { uncertain }),
  };
}

/** The seed of all that is drawn for one scenario of a run; ids and nonces come from it too. */
export function runSeed({ seed, name }: Pick<Scenario, "seed" | "name">): string {
  return `${seed}/${name}`;
}

/** Whether the model has said all it had to say: false when the script's next entry follows even on the same history. */
export function isComplete(entry: ReplyEntry): boolean {
  return !["max_tokens", "pause_turn", "compaction", "refusal"].includes(entry.stopReason);
}

/** Index of the reply that a fault keeps from being said; null in a script that has none after it. */
export function replyAfter(scenario: Pick<Scenario, "entry" | "length">, fault: number): number | null {
  for (let index = fault + 1; index <= fault + scenario.length; index++) {
    if (scenario.entry(index).kind === "reply") return index;
  }
  return null;
}

/** What is needed to write an entry in one language, with the values of one lap. */
interface Writer {
  lang: Lang;
  values: Values;
  /** The nonce of the entry's nth place. */
  nonce(place: number): string;
}

/** Numbers the places of an entry that hold a nonce: thinking, text, search, then each behaviour of each call, then more texts. */
interface Places {
  perEntry: number;
  behaviour(call: number, behaviour: number): number;
  more(text: number): number;
  /** Whether what a tool gives stands there. */
  isTools(place: number): boolean;
}

const THINKING = 0;
const TEXT = 1;
const SEARCH = 2;
/** Where the behaviours of the calls begin. */
const CALLS = 3;

function createPlaces(file: ScenarioFile): Places {
  const replies = file.replies.filter((reply): reply is FileReply => !("fault" in reply));
  const calls = replies.map((reply) => reply.calls ?? []);
  const perCall = Math.max(1, ...calls.flat().map((call) => (Array.isArray(call.does) ? call.does.length : 1)));
  const texts = CALLS + perCall * Math.max(0, ...calls.map((list) => list.length));
  return {
    perEntry: texts + Math.max(0, ...replies.map(({ more }) => more?.length ?? 0)),
    behaviour: (call, behaviour) => CALLS + call * perCall + behaviour,
    more: (text) => texts + text,
    isTools: (place) => place >= CALLS && place < texts,
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
  if (reply.redacted !== undefined) content.push({ type: "redacted_thinking", data: reply.redacted });
  // A search that is done comes before the words about it. A turn is paused while one is at work: it is the last thing
  // in it, and that is what lets the turn be sent back as it is.
  const paused = stopReasonOf(reply) === "pause_turn";
  const search = reply.search ?? (paused ? A_SEARCH : null);
  const searched = search ? [openSearch(search, writer)] : [];
  if (!paused) content.push(...searched);
  if (reply.text !== undefined) {
    const nonce = writer.nonce(TEXT);
    content.push({ type: "text", text: write(reply.text, writer, nonce), nonce });
  }
  reply.more?.forEach((text, m) => {
    const nonce = writer.nonce(places.more(m));
    content.push({ type: "text", text: write(text, writer, nonce), nonce });
  });
  reply.calls?.forEach((call, c) => {
    content.push({
      type: "tool_use",
      name: call.tool,
      input: fillJson(call.input, writer.values) as Record<string, Json>,
      does: behavioursOf(call).map((behaviour, b) =>
        openBehaviour(behaviour, writer, writer.nonce(places.behaviour(c, b))),
      ),
      refuse: call.refuse ?? false,
      invented: call.invented ?? false,
    });
  });
  if (paused) content.push(...searched);
  return { kind: "reply", content, stopReason: stopReasonOf(reply) };
}

/** Why a reply stops, as the API says it. */
export function stopReasonOf({ stopReason, calls }: FileReply): StopReason {
  if (stopReason === undefined) return calls ? "tool_use" : "end_turn";
  return typeof stopReason === "object" ? stopReason.unknown : stopReason;
}

function openSearch({ query, finds }: NonNullable<FileReply["search"]>, writer: Writer): ScriptSearch {
  const nonce = writer.nonce(SEARCH);
  return { type: "search", query: write(query, writer, nonce), finds: write(finds, writer, nonce), nonce };
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

/** What the model searches for while its turn is paused, where the file does not say. */
const A_SEARCH: NonNullable<FileReply["search"]> = {
  query: { es: "estado del servicio hoy", en: "service status today" },
  finds: { es: "Estado: todo en orden ({{nonce}})", en: "Status: all systems normal ({{nonce}})" },
};

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

/** What the API says of each, in its own words; `cut` is a stream that just ends. */
const FAULTS: Record<FileFault["fault"], FaultEntry["error"]> = {
  400: { type: "invalid_request_error", message: "prompt is too long: 212164 tokens > 199999 maximum" },
  401: { type: "authentication_error", message: "Invalid bearer token" },
  403: {
    type: "permission_error",
    message: "Your API key does not have permission to use the specified resource.",
  },
  413: { type: "request_too_large", message: "Request exceeds the maximum size" },
  504: { type: "timeout_error", message: "The request timed out." },
  cut: { type: "api_error", message: "Internal server error" },
  429: {
    type: "rate_limit_error",
    message: "This request would exceed your organization's rate limit of 80,000 input tokens per minute.",
  },
  500: { type: "api_error", message: "Internal server error" },
  529: { type: "overloaded_error", message: "Overloaded" },
};

function openFault({ fault, retryAfterMs, midStream }: FileFault): FaultEntry {
  return {
    kind: "fault",
    status: fault === "cut" ? 500 : fault,
    error: { ...FAULTS[fault] },
    retryAfterMs: retryAfterMs ?? null,
    when: fault === "cut" ? "cut" : midStream ? "mid-stream" : "at-once",
  };
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
    const paused = entry.stopReason === "pause_turn" || entry.stopReason === "compaction";
    if (entry.stopReason !== "tool_use" && !paused) break;
    // A paused turn and its continuation are one message once the API has merged them.
    if (last === "user") expected.messages++;
    last = "assistant";
    if (paused) continue;
    expected.executeTool += entry.content.filter(
      (block) => block.type === "tool_use" && !block.refuse && !block.invented,
    ).length;
    expected.messages++;
    last = "user";
  }
  return expected;
}
