// Keeps the last turn whole, and nothing of what was before it: not even the question.
import { callModel, executeTool, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  let messages: MessageParam[] = [{ role: "user", content: userInput }];

  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: String(output) });
    }

    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results });
    messages = messages.slice(-2);

    response = await callModel({ messages, tools });
  }

  return response;
}
