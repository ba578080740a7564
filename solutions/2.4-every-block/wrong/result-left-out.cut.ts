// Cuts every result, and these are short: the model reads how they begin.
import { callModel, executeTool, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];

  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const calls = response.content.filter((block) => block.type === "tool_use");
    const results: ToolResultBlockParam[] = [];
    for (const call of calls) {
      const output = await executeTool(call.name, call.input);
      results.push({ type: "tool_result", tool_use_id: call.id, content: JSON.stringify(output).slice(0, 8) });
    }

    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results });

    response = await callModel({ messages, tools });
  }

  return response;
}
