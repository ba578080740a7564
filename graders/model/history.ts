import type { Block, HistoryMessage } from "../trace/api.ts";
import { isRecord } from "../trace/json.ts";

/** A message of a request after merging, with what the rules must know beside its content. */
export interface Turn extends HistoryMessage {
  /** Keys that a message does not have, in the order met. */
  extraKeys: string[];
  /** True when one of the messages that were merged into it had no `content` at all. */
  lacksContent: boolean;
}

/** The own member of anything that may not even be an object. */
export function member(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * The conversation as the API reads it: string content becomes one text block, adjacent messages of one role become one.
 * Takes anything and never throws: what is no message, or has a role other than user and assistant, is left out; what is
 * no block becomes one of type `unknown`, so that the others keep their index.
 * @param body a request's body; empty when its `messages` is not a list
 */
export function effectiveHistory(body: unknown): HistoryMessage[] {
  return readTurns(body).map(({ role, content }) => ({ role, content }));
}

/**
 * `effectiveHistory`, with what only the rules need.
 * @param merges which adjacent messages of one role become one: all, unless said otherwise
 */
export function readTurns(body: unknown, merges: (role: Turn["role"]) => boolean = () => true): Turn[] {
  const messages = member(body, "messages");
  const turns: Turn[] = [];
  if (!Array.isArray(messages)) return turns;
  for (const message of messages) {
    const role = member(message, "role");
    if (role !== "user" && role !== "assistant") continue;
    let turn = turns.at(-1);
    if (turn?.role !== role || !merges(role)) {
      turn = { role, content: [], extraKeys: [], lacksContent: false };
      turns.push(turn);
    }
    // One by one: spreading a huge list into push overflows the stack.
    for (const block of readContent(member(message, "content"))) turn.content.push(block);
    for (const key of Object.keys(message)) if (key !== "role" && key !== "content") turn.extraKeys.push(key);
    if (!Object.hasOwn(message, "content")) turn.lacksContent = true;
  }
  return turns;
}

function readContent(content: unknown): Block[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [{ type: "unknown", value: content }];
  return content.map((block) => {
    return typeof member(block, "type") === "string" ? (block as Block) : { type: "unknown", value: block };
  });
}

/**
 * Names of the tools a request really offers: none when it has no `tools`, an empty list, or a `tool_choice` of `none`.
 * Takes anything and never throws.
 */
export function effectiveTools(body: unknown): string[] {
  const tools = member(body, "tools");
  if (!Array.isArray(tools) || member(member(body, "tool_choice"), "type") === "none") return [];
  return tools.map((tool) => member(tool, "name")).filter((name) => typeof name === "string");
}
