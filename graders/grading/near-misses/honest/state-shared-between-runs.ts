import { randomUUID } from "node:crypto";
import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

const conversations = new Map<string, MessageParam[]>();

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const key = randomUUID();
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  conversations.set(key, messages);
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await callModel({ messages: conversations.get(key)!, tools });
  }
  return response;
}
