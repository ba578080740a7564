import { client, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

interface Call {
  type: "tool_use";
  id: string;
  name: string;
  input: unknown;
}

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (;;) {
    const { text, calls } = await listen(messages, tools);
    if (calls.length === 0) return text;
    const results: ToolResultBlockParam[] = [];
    for (const { id, name, input } of calls) {
      const output = await executeTool(name, input).catch(String); // here
      results.push({ type: "tool_result", tool_use_id: id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: calls }, { role: "user", content: results });
  }
}

async function listen(messages: MessageParam[], tools: Tool[]) {
  const settings = { model: "claude-sonnet-5-5", max_tokens: 1024, stream: true } as const;
  const calls: Call[] = [];
  let text = "";
  let json = "";
  for await (const event of await client.messages.create({ ...settings, messages, tools })) {
    if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
      const { id, name } = event.content_block;
      calls.push({ type: "tool_use", id, name, input: {} });
      json = "";
    }
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
    if (event.type === "content_block_delta" && event.delta.type === "input_json_delta")
      json += event.delta.partial_json;
    if (event.type === "content_block_stop" && json !== "") calls[calls.length - 1]!.input = JSON.parse(json);
  }
  return { text, calls };
}
