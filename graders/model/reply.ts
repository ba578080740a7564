import type { ApiMessage, HistoryMessage, ReplyBlock, ServerToolResultBlock, ToolUseBlock } from "../trace/api.ts";
import type { ReplyEvent } from "../trace/events.ts";
import type { ReplyEntry, Scenario, ScriptBlock, ScriptSearch } from "../trace/scenario.ts";
import type { Text } from "../trace/text.ts";
import { member } from "./history.ts";
import { runSeed } from "./scenario.ts";
import { createRandom, type Random } from "./seed.ts";

/** A search that a paused turn has left at work. */
import { sign } from "./signature.ts";

export interface Pending {
  id: string;
  search: ScriptSearch;
}

/** The search that is at work when a request comes: the history ends in the paused turn that began it. Else null. */
export function pendingSearch(
  scenario: Scenario,
  past: readonly ReplyEvent[],
  history: readonly HistoryMessage[],
): Pending | null {
  const last = history.at(-1);
  const end = last?.role === "assistant" ? last.content.at(-1) : undefined;
  const id = end?.type === "server_tool_use" ? member(end, "id") : null;
  if (typeof id !== "string") return null;
  const paused = past.find(({ message }) => {
    const block = message?.stop_reason === "pause_turn" ? message.content.at(-1) : undefined;
    return block?.type === "server_tool_use" && block.id === id;
  });
  const entry = paused && paused.entry !== null ? scenario.entry(paused.entry) : null;
  const search = entry?.kind === "reply" ? entry.content.findLast((block) => block.type === "search") : undefined;
  return search ? { id, search } : null;
}

/**
 * A message with every key that the API sends.
 * @param body the request in full: it decides the model named, the stop sequence and the tokens counted
 * @param random for the ids
 * @param pending what it opens with the result of
 */
export function writeMessage(
  entry: ReplyEntry,
  scenario: Scenario,
  body: unknown,
  random: Random,
  pending: Pending | null,
): ApiMessage {
  const content = entry.content.flatMap((block) => writeBlock(block, entry, random));
  if (pending) content.unshift(searchResult(pending.id, pending.search.finds));
  if (entry.stopReason === "compaction") content.push(compaction(scenario));
  const searches = content.filter((block) => block.type === "server_tool_use").length;
  const model = member(body, "model");
  return {
    id: `msg_01${random.token(22)}`,
    type: "message",
    role: "assistant",
    model: typeof model === "string" ? model : "claude-sonnet-5-5",
    content,
    stop_reason: entry.stopReason,
    stop_sequence: entry.stopReason === "stop_sequence" ? firstText(member(body, "stop_sequences")) : null,
    stop_details: entry.stopReason === "refusal" ? refusal(scenario) : null,
    container: null,
    diagnostics: null,
    usage: {
      input_tokens: inputTokens(body),
      output_tokens: Math.max(2, countTokens(content)),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens_details: null,
      server_tool_use: searches === 0 ? null : { web_search_requests: searches, web_fetch_requests: 0 },
      service_tier: "standard",
      inference_geo: null,
      speed: null,
    },
  };
}

function writeBlock(block: ScriptBlock, entry: ReplyEntry, random: Random): ReplyBlock[] {
  const caller = { type: "direct" };
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text }];
    case "thinking":
      return [{ type: "thinking", thinking: block.thinking, signature: sign(block.thinking) }];
    case "redacted_thinking":
      return [{ type: "redacted_thinking", data: block.data }];
    case "search": {
      const id = `srvtoolu_01${random.token(22)}`;
      const asked = { type: "server_tool_use" as const, id, name: "web_search", input: { query: block.query }, caller };
      return entry.stopReason === "pause_turn" ? [asked] : [asked, searchResult(id, block.finds)];
    }
    case "tool_use": {
      // A copy: what goes into the trace is nobody's to change.
      const input = structuredClone(block.input);
      return [{ type: "tool_use", id: `toolu_01${random.token(22)}`, name: block.name, input, caller } as ToolUseBlock];
    }
  }
}

function searchResult(tool_use_id: string, finds: string): ServerToolResultBlock {
  const page = {
    type: "web_search_result",
    url: "https://example.com/",
    title: finds,
    encrypted_content: "Ev0",
    page_age: null,
  };
  return {
    type: "web_search_tool_result",
    tool_use_id,
    content: [page],
    caller: { type: "direct" },
  } as ServerToolResultBlock;
}

const CATEGORIES = ["cyber", "bio", "frontier_llm", "reasoning_extraction", "general_harms"] as const;

function refusal(scenario: Scenario) {
  const category = createRandom(`${runSeed(scenario)}/refusal`).pick(CATEGORIES);
  return { type: "refusal", category, explanation: `Declined by a safety classifier (${category}).` };
}

/** It ends the reply: the turn goes back as it is, and that is what the next one goes on from. */
function compaction({ lang }: Scenario): ReplyBlock {
  return { type: "compaction", content: COMPACTED[lang], encrypted_content: null } as ReplyBlock;
}

const COMPACTED: Text = {
  es: "Resumen de la conversación hasta aquí: lo esencial está dicho y la tarea sigue en curso.",
  en: "Summary of the conversation so far: the essentials are kept, and the task goes on.",
};

function firstText(list: unknown): string | null {
  return Array.isArray(list) ? (list.find((item) => typeof item === "string") ?? null) : null;
}

/** Tokens of all that a request gives the model to read. */
export function inputTokens(body: unknown): number {
  return countTokens(["system", "tools", "messages"].map((key) => member(body, key) ?? []));
}

/** About a token for every four characters of JSON. Walks with a list of its own: bodies may be nested deeper than the stack. */
function countTokens(value: unknown): number {
  let characters = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part === "string") characters += part.length + 2;
    else if (Array.isArray(part)) for (const child of part) open.push(child);
    else if (typeof part === "object" && part !== null) {
      for (const key of Object.keys(part)) {
        characters += key.length + 4;
        open.push(member(part, key));
      }
    } else characters += 4;
  }
  return Math.ceil(characters / 4);
}
