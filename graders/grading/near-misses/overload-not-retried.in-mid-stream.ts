import { client, executeTool, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

const settings = { model: "claude-sonnet-5-5", max_tokens: 1024 } as const;

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let response = await client.messages.stream({ ...settings, messages, tools }).finalMessage();
  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await client.messages.stream({ ...settings, messages, tools }).finalMessage(); // here
  }
  return response;
}
