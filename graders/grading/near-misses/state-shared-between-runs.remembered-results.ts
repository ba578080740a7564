import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

const known = new Map<string, unknown>(); // here

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      if (!known.has(block.name)) known.set(block.name, await executeTool(block.name, block.input));
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(known.get(block.name)) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await callModel({ messages, tools });
  }
  return response;
}
