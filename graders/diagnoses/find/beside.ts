import { isToolResult, isToolUse } from "../../trace/api.ts";
import type { RequestEvent, SettledEvent, ToolCallEvent } from "../../trace/events.ts";
import type { Run } from "../../trace/run.ts";
import type { Scenario, ScriptCall } from "../../trace/scenario.ts";
import { stringsIn } from "./answer.ts";
import { askedById, keyOf, keyOfCall } from "./calls.ts";
import { remember, toJson } from "./json.ts";
import { bodyText, historyText } from "./requests.ts";

/**
 * Something of another conversation that turned up in this one. `prompt`: the words the other began with; `words`: a text or
 * a result of it; `id`: a call that the API handed out, but not in this conversation; `call`: a tool run as only the other
 * asked for it; `answer`: what was returned is the other's.
 */
export type Leak =
  | { how: "prompt" | "words" | "id"; event: RequestEvent; what: string }
  | { how: "call"; event: ToolCallEvent }
  | { how: "answer"; event: SettledEvent; what: string };

/** Entries of an endless script that are looked through after its first round. */
const ENTRIES_DEEP = 30;

/** A prompt shorter than this may be anybody's words. */
const TELLING_PROMPT = 12;

/** How the API writes the id of a call: nobody makes up one that looks like it. */
const CALL_ID = /^toolu_01[0-9A-Za-z]{22}$/;

/** The first thing of another conversation that turned up in a run; null when nothing did, or it was the only one. */
export function leaked(run: Run): Leak | null {
  if (run.beside.length === 0) return null;
  const own = new Set(marksOf(run.scenario));
  const marks = run.beside.flatMap(marksOf).filter((mark) => !own.has(mark));
  const prompts = run.beside.map(({ userInput }) => userInput).filter((prompt) => isForeign(run, prompt));
  const asked = askedById(run.trace);
  const ownCalls = new Set([...callsOf(run.scenario), ...[...asked.values()].map(({ key }) => key)]);
  const calls = new Set(run.beside.flatMap(callsOf).filter((key) => !ownCalls.has(key)));

  for (const event of run.trace) {
    if (event.type === "request") {
      const said = `${bodyText(event)}\n${historyText(event)}`;
      const prompt = prompts.find((each) => said.includes(toJson(each).slice(1, -1)));
      if (prompt !== undefined) return { how: "prompt", event, what: prompt };
      const mark = marks.find((each) => said.includes(each));
      if (mark !== undefined) return { how: "words", event, what: holding([event.history, event.body], mark) };
      const id = idsIn(event).find((each) => CALL_ID.test(each) && !asked.has(each));
      if (id !== undefined) return { how: "id", event, what: id };
    }
    if (event.type === "tool-call" && event.answers === null && calls.has(keyOfCall(event)))
      return { how: "call", event };
    if (event.type === "settled") {
      const mark = marks.find((each) => toJson(event.value).includes(each));
      if (mark !== undefined) return { how: "answer", event, what: holding(event.value, mark) };
    }
  }
  return null;
}

/** Whether a prompt that turns up can only have come from the other conversation. */
function isForeign({ scenario, trace }: Run, prompt: string): boolean {
  if (prompt.length < TELLING_PROMPT || scenario.userInput.includes(prompt)) return false;
  const told = toJson(trace.filter(({ type }) => type === "reply" || type === "tool-result"));
  return !told.includes(toJson(prompt).slice(1, -1));
}

/** The string of a value that holds a mark. */
function holding(value: unknown, mark: string): string {
  return stringsIn(value).find((text) => text.includes(mark)) ?? mark;
}

function idsIn({ history }: RequestEvent): string[] {
  return history.flatMap(({ content }) =>
    content.flatMap((block) => (isToolUse(block) ? block.id : isToolResult(block) ? block.tool_use_id : [])),
  );
}

/** Every token by which something of a script is known again. */
const marksOf: (scenario: Scenario) => readonly string[] = remember((scenario: Scenario) =>
  blocksOf(scenario).flatMap((block) => {
    if (block.type === "tool_use") return block.does.flatMap((each) => (each.kind === "hangs" ? [] : each.nonce));
    return "nonce" in block ? block.nonce : [];
  }),
);

/** The calls of a script, by name and input. */
const callsOf: (scenario: Scenario) => readonly string[] = remember((scenario: Scenario) =>
  blocksOf(scenario)
    .filter((block): block is ScriptCall => block.type === "tool_use")
    .map(({ name, input }) => keyOf(name, input)),
);

function blocksOf(scenario: Scenario) {
  const many = scenario.length + (scenario.endlessFrom === null ? 0 : ENTRIES_DEEP);
  return Array.from({ length: many }, (_, index) => scenario.entry(index)).flatMap((entry) =>
    entry.kind === "reply" ? entry.content : [],
  );
}
