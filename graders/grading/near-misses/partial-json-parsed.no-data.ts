import { client, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (;;) {
    const { text, calls } = await listen(messages, tools);
    if (calls.length === 0) return text;
    const uses: { type: "tool_use"; id: string; name: string; input: unknown }[] = [];
    const results: ToolResultBlockParam[] = [];
    for (const { id, name, json } of calls) {
      const input = JSON.parse(json); // here
      uses.push({ type: "tool_use", id, name, input });
      const output = await executeTool(name, input);
      results.push({ type: "tool_result", tool_use_id: id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: uses }, { role: "user", content: results });
  }
}

async function listen(messages: MessageParam[], tools: Tool[]) {
  const settings = { model: "claude-sonnet-5-5", max_tokens: 1024, stream: true } as const;
  let text = "";
  const calls: { id: string; name: string; json: string }[] = [];
  for await (const event of await client.messages.create({ ...settings, messages, tools })) {
    if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
      calls.push({ id: event.content_block.id, name: event.content_block.name, json: "" });
    }
    if (event.type !== "content_block_delta") continue;
    if (event.delta.type === "text_delta") text += event.delta.text;
    if (event.delta.type === "input_json_delta") calls[calls.length - 1]!.json += event.delta.partial_json;
  }
  return { text, calls };
}
