import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

export async function runAgent(
  userInput: string,
  tools: Tool[],
  { signal }: { signal: AbortSignal },
): Promise<Message | null> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  while (!signal.aborted) {
    const response = await callModel({ messages, tools });
    if (response.stop_reason !== "tool_use") return response;
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use" || signal.aborted) continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
  }
  return null;
}
