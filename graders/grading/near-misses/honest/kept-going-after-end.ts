import { callModel, client, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (;;) {
    const response = await callModel({ messages, tools });
    messages.push({ role: "assistant", content: response.content });
    if (response.stop_reason !== "tool_use") {
      const tokens = await client.messages.countTokens({ model: "claude-sonnet-5-5", messages, tools });
      return { answer: response.content, tokens: tokens.input_tokens };
    }
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "user", content: results });
  }
}
