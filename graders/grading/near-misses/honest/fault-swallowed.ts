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
  let response: Message | null = null;
  for (let failures = 0; ; ) {
    try {
      response = await callModel({ messages, tools });
    } catch (error) {
      failures += 1;
      if (failures === 3) throw error;
      // Nothing was put into the history: the next pass sends the same request.
      continue;
    }
    if (response.stop_reason !== "tool_use") return response;
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
  }
}
