import { type Block, isToolResult, isToolUse } from "../../trace/api.ts";
import type { Turn } from "../history.ts";
import { invalid, type Rejection, type Rule } from "./rule.ts";

// Tool calls and their results. The order of the results among themselves is free.

/**
 * P1: each tool_use has its tool_result at the start of the next message.
 * P5 falls under it, with the same text: a result that follows another kind of block does not count.
 */
export const everyCallAnswered: Rule = {
  id: "P1",
  check: ({ turns }) => {
    for (const [i, turn] of turns.entries()) {
      const asked = callIds(turn);
      if (asked.size === 0) continue;
      const answered = new Set<string | null>();
      for (const block of turns[i + 1]?.content ?? []) {
        if (!isToolResult(block)) break;
        answered.add(resultId(block));
      }
      const missing = [...asked].filter((id) => !answered.has(id));
      if (missing.length === 0) continue;
      return invalid(
        `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. ` +
          "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
      );
    }
    return null;
  },
};

/** P2: each tool_result answers a tool_use of the message before. */
export const everyResultAsked: Rule = {
  id: "P2",
  check: ({ turns }) => {
    for (const [i, turn] of turns.entries()) {
      if (turn.role !== "user") continue;
      const asked = callIds(turns[i - 1]);
      for (const [j, block] of turn.content.entries()) {
        const id = resultId(block);
        if (id === null || asked.has(id)) continue;
        return invalid(
          `messages.${i}.content.${j}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
            "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
        );
      }
    }
    return null;
  },
};

/** P3: a tool_use has one result. */
export const oneResultPerCall: Rule = {
  id: "P3",
  check: ({ turns }) => {
    let message = -1;
    let seen = new Set<string>();
    return firstBlock(turns, "user", (block, i, j) => {
      if (i !== message) [message, seen] = [i, new Set()];
      const id = resultId(block);
      if (id === null) return null;
      if (seen.has(id)) {
        return invalid(
          `messages.${i}.content.${j}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
        );
      }
      seen.add(id);
      return null;
    });
  },
};

/** P4: no id twice within one assistant message. Across messages the API's reaction is unsure, so it passes. */
export const uniqueCallIds: Rule = {
  id: "P4",
  check: ({ turns }) => {
    let message = -1;
    let seen = new Set<string>();
    return firstBlock(turns, "assistant", (block, i, j) => {
      if (i !== message) [message, seen] = [i, new Set()];
      const id = callId(block);
      if (id === null) return null;
      if (seen.has(id)) return invalid(`messages.${i}.content.${j}: \`tool_use\` ids must be unique`);
      seen.add(id);
      return null;
    });
  },
};

/** P6: only the assistant asks for tools. */
export const callsFromAssistant: Rule = {
  id: "P6",
  check: ({ turns }) =>
    firstBlock(turns, "user", (block, i) =>
      isToolUse(block) ? invalid(`messages.${i}: \`tool_use\` blocks can only be in \`assistant\` messages`) : null,
    ),
};

/** P7: only the user answers them. */
export const resultsFromUser: Rule = {
  id: "P7",
  check: ({ turns }) =>
    firstBlock(turns, "assistant", (block, i) =>
      isToolResult(block) ? invalid(`messages.${i}: \`tool_result\` blocks can only be in \`user\` messages`) : null,
    ),
};

/** The ids a turn asks results for. */
export function callIds(turn: Turn | undefined): Set<string> {
  if (turn?.role !== "assistant") return new Set();
  return new Set(turn.content.map(callId).filter((id) => id !== null));
}

// An id that is no string is S2's affair.
export function callId(block: Block): string | null {
  return isToolUse(block) && typeof block.id === "string" ? block.id : null;
}

function resultId(block: Block): string | null {
  return isToolResult(block) && typeof block.tool_use_id === "string" ? block.tool_use_id : null;
}

/** The first rejection that `check` gives for a block of messages of this role. */
export function firstBlock(
  turns: readonly Turn[],
  role: Turn["role"],
  check: (block: Block, message: number, index: number) => Rejection | null,
): Rejection | null {
  for (const [i, turn] of turns.entries()) {
    if (turn.role !== role) continue;
    for (const [j, block] of turn.content.entries()) {
      const rejection = check(block, i, j);
      if (rejection) return rejection;
    }
  }
  return null;
}
