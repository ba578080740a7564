/** Honest loops: what no diagnosis may find anything in. */

import type { Agent, Hands } from "../../testing/play.ts";
import type { ApiMessage, ToolUseBlock } from "../../trace/api.ts";

/** The loop of the lessons: every call, one message, errors flagged. */
export async function honest({ callModel, executeTool, tools, userInput }: Hands): Promise<ApiMessage> {
  const messages: unknown[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    messages.push({ role: "assistant", content: response.content });
    const calls = response.content.filter((block) => block.type === "tool_use");
    const results = await Promise.all(
      calls.map(async ({ id, name, input }) => {
        try {
          return { type: "tool_result", tool_use_id: id, content: JSON.stringify(await executeTool(name, input)) };
        } catch (error) {
          return {
            type: "tool_result",
            tool_use_id: id,
            content: `Error: ${(error as Error).message}`,
            is_error: true,
          };
        }
      }),
    );
    messages.push({ role: "user", content: results });
    response = await callModel({ messages, tools });
  }
  return response;
}

/** No push, no loop: it calls itself, and returns the text alone. */
export async function recursive({ callModel, executeTool, tools, userInput }: Hands): Promise<string> {
  const step = async (messages: readonly unknown[]): Promise<string> => {
    const response = await callModel({ messages, tools });
    const results: unknown[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const content = await executeTool(block.name, block.input).then(
        (value) => ({ content: JSON.stringify(value) }),
        (error: Error) => ({ content: error.message, is_error: true }),
      );
      results.push({ type: "tool_result", tool_use_id: block.id, ...content });
    }
    if (results.length === 0)
      return response.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    return step([...messages, { role: "assistant", content: response.content }, { role: "user", content: results }]);
  };
  return step([{ role: "user", content: userInput }]);
}

/** It tries a failed tool again, and gives up after ten turns with a reason. */
export async function careful({ callModel, executeTool, tools, userInput }: Hands): Promise<unknown> {
  const messages: unknown[] = [{ role: "user", content: userInput }];
  for (let turn = 0; turn < 10; turn++) {
    const response = await callModel({ messages, tools });
    if (response.stop_reason !== "tool_use") return { answer: response, turns: turn };
    messages.push({ role: "assistant", content: response.content });
    const results: unknown[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      let result: object = { content: "failed three times", is_error: true };
      for (let attempt = 0; attempt < 3; attempt++) {
        try {
          result = { content: [{ type: "text", text: JSON.stringify(await executeTool(block.name, block.input)) }] };
          break;
        } catch {
          // once more
        }
      }
      results.push({ type: "tool_result", tool_use_id: block.id, ...result });
    }
    messages.push({ role: "user", content: [...results, { type: "text", text: `turn ${turn}` }] });
  }
  return { stopped: "too many turns", messages };
}

type Loose = Record<string, unknown>;

/** What a loop does otherwise than the honest one. Each is given what the honest loop would use, and says what to use instead. */
export interface Changes {
  /** The messages that keep the model's turn. */
  assistant?(response: ApiMessage, turn: number): unknown[];
  /** The messages that hand over the results. */
  user?(results: Loose[], response: ApiMessage, turn: number): unknown[];
  /** The calls of a reply that are run. */
  calls?(calls: ToolUseBlock[]): ToolUseBlock[];
  /** One call's result. */
  result?(call: ToolUseBlock, execute: Hands["executeTool"]): Promise<Loose> | Loose;
  /** The request. */
  request?(request: { messages: unknown[]; tools: unknown }, turn: number): Loose;
  /** Whether the loop goes on. */
  on?(response: ApiMessage, turn: number): boolean;
  /** What is returned. */
  answer?(response: ApiMessage, messages: unknown[]): unknown;
  /** What a failed request leads to: true to try it again. */
  retry?(error: Error): boolean;
}

/** The honest loop, changed. */
export function loop(changes: Changes): Agent {
  return async ({ callModel, executeTool, tools, userInput }) => {
    const messages: unknown[] = [{ role: "user", content: userInput }];
    let turn = 0;
    const ask = async (): Promise<ApiMessage> => {
      for (;;) {
        try {
          const request = { messages, tools };
          return await callModel(changes.request?.(request, turn) ?? request);
        } catch (error) {
          if (!changes.retry?.(error as Error)) throw error;
        }
      }
    };
    let response = await ask();
    while (changes.on?.(response, turn) ?? response.stop_reason === "tool_use") {
      turn++;
      messages.push(...(changes.assistant?.(response, turn) ?? [{ role: "assistant", content: response.content }]));
      const asked = response.content.filter((block) => block.type === "tool_use");
      const results: Loose[] = [];
      for (const call of changes.calls?.(asked) ?? asked) {
        results.push(
          (await changes.result?.(call, executeTool)) ?? {
            type: "tool_result",
            tool_use_id: call.id,
            content: JSON.stringify(await executeTool(call.name, call.input)),
          },
        );
      }
      messages.push(...(changes.user?.(results, response, turn) ?? [{ role: "user", content: results }]));
      response = await ask();
    }
    return changes.answer ? changes.answer(response, messages) : response;
  };
}
