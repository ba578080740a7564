// Looks for a field that what the tool returned does not have: an empty object is what the model gets.
import { callModel, executeTool, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];

  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const calls = response.content.filter((block) => block.type === "tool_use");
    const results: ToolResultBlockParam[] = [];
    for (const call of calls) {
      const { data } = (await executeTool(call.name, call.input)) as { data?: unknown };
      results.push({ type: "tool_result", tool_use_id: call.id, content: JSON.stringify({ data }) });
    }

    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results });

    response = await callModel({ messages, tools });
  }

  return response;
}
