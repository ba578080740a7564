import type { Block, ReplyBlock } from "../../trace/api.ts";
import { member, type Turn } from "../history.ts";
import { modelOf } from "../models.ts";
import { sign } from "../signature.ts";
import { invalid, type Rejection, type Request, type Rule } from "./rule.ts";

// How much the model thinks, and that what it thought goes back as it came.

/** T5: newer models decide for themselves how much they think. */
export const noManualThinking: Rule = {
  id: "T5",
  check: ({ body: { model, thinking } }) => {
    const kind = modelOf(model)?.thinking;
    if (member(thinking, "type") !== "enabled" || (kind !== "adaptive" && kind !== "always")) return null;
    return invalid(unsupported("enabled"));
  },
};

/** T6: and some always do. */
export const thinkingStaysOn: Rule = {
  id: "T6",
  check: ({ body: { model, thinking } }) => {
    if (member(thinking, "type") !== "disabled" || modelOf(model)?.thinking !== "always") return null;
    return invalid(unsupported("disabled"));
  },
};

/** T7: thinking leaves room for an answer. */
export const budgetBelowMaxTokens: Rule = {
  id: "T7",
  check: ({ body: { thinking, max_tokens } }) => {
    const budget = member(thinking, "budget_tokens");
    if (member(thinking, "type") !== "enabled" || typeof budget !== "number" || typeof max_tokens !== "number")
      return null;
    return budget < max_tokens ? null : invalid("`max_tokens` must be greater than `thinking.budget_tokens`");
  },
};

/** T4: after thinking comes something said. */
export const thinkingNotLast: Rule = {
  id: "T4",
  check: ({ turns }) => {
    const i = turns.findIndex(({ role, content }) => role === "assistant" && content.at(-1)?.type === "thinking");
    if (i === -1) return null;
    return invalid(`messages.${i}: The final block in an assistant message cannot be \`thinking\`.`);
  },
};

/** T2: with a budget of its own, the turn whose results are brought opens with the thinking it was delivered with. */
export const thinkingOpensTurn: Rule = {
  id: "T2",
  check: (request) => {
    const { model, thinking } = request.body;
    if (member(thinking, "type") !== "enabled" || modelOf(model)?.thinking !== "manual") return null;
    const latest = latestTurn(request);
    const first = latest?.turn.content[0];
    if (!latest || !first || isThought(first)) return null;
    // Several replies may have become one turn: what counts is the one that it opens with.
    const isFirst = (reply: readonly ReplyBlock[]) =>
      reply[0] &&
      isThought(reply[0]) &&
      isSame(
        first,
        reply.find((block) => !isThought(block)),
      );
    if (!latest.replies.some(isFirst)) return null;
    return invalid(
      `messages.${latest.index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. ` +
        "When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost " +
        "set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid " +
        "this requirement, disable `thinking`. Please consult our documentation at " +
        "https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
    );
  },
};

/**
 * T1: the thinking of the latest turn is that of the reply it came from: nothing of it changed, moved or gone.
 * Where all of it is gone the API's reaction is unsure, so that passes.
 */
export const thinkingUnchanged: Rule = {
  id: "T1",
  check: (request) => {
    const latest = latestTurn(request);
    if (!latest?.turn.content.some(isThought)) return null;
    return modified(latest);
  },
};

/** T3: a signature is that of the thinking it stands under, whatever conversation it comes from. */
export const signatureFits: Rule = {
  id: "T3",
  check: ({ turns }) => {
    for (const [i, { role, content }] of turns.entries()) {
      if (role !== "assistant") continue;
      const j = content.findIndex((block) => block.type === "thinking" && !isSigned(block));
      if (j !== -1) return invalid(`messages.${i}.content.${j}: Invalid \`signature\` in \`thinking\` block`);
    }
    return null;
  },
};

/** Thinking that broke off has no signature yet. */
function isSigned(block: Block): boolean {
  const thinking = member(block, "thinking");
  return typeof thinking === "string" && member(block, "signature") === sign(thinking);
}

/** The last turn of the assistant, and the replies that it is made of. */
export interface LatestTurn {
  turn: Turn;
  index: number;
  replies: readonly (readonly ReplyBlock[])[];
}

/** Null where there is none, or where nothing in it can be traced to a reply. Replies are known by the ids of their calls. */
export function latestTurn({ turns, delivered }: Request): LatestTurn | null {
  const index = turns.findLastIndex(({ role }) => role === "assistant");
  const turn = turns[index];
  if (!turn || !delivered) return null;
  const ids = new Set(turn.content.map(idOf).filter((id) => id !== null));
  const replies = delivered.filter((reply) => reply.some((block) => ids.has(idOf(block) ?? "")));
  return replies.length === 0 ? null : { turn, index, replies };
}

/** The refusal of a turn in which the thinking of one of its replies is not what was delivered. */
export function modified({ turn, index, replies }: LatestTurn): Rejection | null {
  const present = turn.content.filter(isThought).map(keyOf);
  for (const reply of replies) {
    const thoughts = reply.filter(isThought).map(keyOf);
    const asDelivered = present.some((_, from) => thoughts.every((key, k) => present[from + k] === key));
    if (thoughts.length === 0 || asDelivered) continue;
    const known = new Set(thoughts);
    const changed = turn.content.findIndex((block) => isThought(block) && !known.has(keyOf(block)));
    const j = changed === -1 ? Math.max(0, turn.content.findIndex(isThought)) : changed;
    return invalid(
      `messages.${index}.content.${j}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. ` +
        "These blocks must remain as they were in the original response.",
    );
  }
  return null;
}

function isThought(block: { type: string }): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

function idOf(block: Block): string | null {
  const id = block.type === "tool_use" || block.type === "server_tool_use" ? member(block, "id") : null;
  return typeof id === "string" ? id : null;
}

function isSame(block: Block, other: Block | undefined): boolean {
  if (!other || block.type !== other.type) return false;
  if (block.type === "text") return member(block, "text") === member(other, "text");
  return idOf(block) !== null && idOf(block) === idOf(other);
}

/** Equal for equal thinking. What is no text is none of ours: it may be nested deeper than the stack. */
function keyOf(block: Block): string {
  const texts = ["type", "thinking", "signature", "data"].map((name) => member(block, name));
  return JSON.stringify(texts.map((text) => (text === undefined || typeof text === "string" ? text : false)));
}

function unsupported(type: string): string {
  return (
    `"thinking.type.${type}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" ` +
    "to control thinking behavior."
  );
}
