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
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const result: ToolResultBlockParam = { type: "tool_result", tool_use_id: block.id };
      try {
        const output = await executeTool(block.name, block.input, { signal: AbortSignal.timeout(30_000) });
        result.content = JSON.stringify(output);
      } catch (error) {
        result.content = String(error);
        result.is_error = true;
      }
      results.push(result);
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await callModel({ messages, tools });
  }
  return response;
}
