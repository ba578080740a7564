// The results carry the id of their call, but no block says what it is.
import { callModel, executeTool, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];

  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const calls = response.content.filter((block) => block.type === "tool_use");
    const results: object[] = [];
    for (const call of calls) {
      const output = await executeTool(call.name, call.input);
      results.push({ tool_use_id: call.id, content: String(output) });
    }

    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results as ToolResultBlockParam[] });

    response = await callModel({ messages, tools });
  }

  return response;
}
