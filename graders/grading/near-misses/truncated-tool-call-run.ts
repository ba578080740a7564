import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (;;) {
    const response = await callModel({ messages, tools });
    const calls = response.content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return response;
    const results: ToolResultBlockParam[] = [];
    for (const call of calls) {
      const output = await executeTool(call.name, call.input); // here
      results.push({ type: "tool_result", tool_use_id: call.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
  }
}
