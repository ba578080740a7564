import { client, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (;;) {
    const settings = { model: "claude-sonnet-5-5", max_tokens: 1024, stream: true } as const;
    const events = await client.messages.create({ ...settings, messages, tools });
    const calls: { type: "tool_use"; id: string; name: string; input: unknown }[] = [];
    let text = "";
    for await (const event of events) {
      if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
        calls.push({ ...event.content_block });
      }
      if (event.type !== "content_block_delta") continue;
      if (event.delta.type === "text_delta") text += event.delta.text;
      if (event.delta.type === "input_json_delta") {
        calls[calls.length - 1]!.input = JSON.parse(event.delta.partial_json); // here
      }
    }
    if (calls.length === 0) return text;
    const results: ToolResultBlockParam[] = [];
    for (const { id, name, input } of calls) {
      const output = await executeTool(name, input);
      results.push({ type: "tool_result", tool_use_id: id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: calls }, { role: "user", content: results });
  }
}
