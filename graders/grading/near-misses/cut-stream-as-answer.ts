import { client, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (;;) {
    const { text, calls } = await listen(messages, tools);
    if (calls.length === 0) return text;
    const results: ToolResultBlockParam[] = [];
    for (const { id, name, json } of calls) {
      const output = await executeTool(name, JSON.parse(json || "{}"));
      results.push({ type: "tool_result", tool_use_id: id, content: JSON.stringify(output) });
    }
    const uses = calls.map(({ id, name, json }) => ({
      type: "tool_use" as const,
      id,
      name,
      input: JSON.parse(json || "{}"),
    }));
    messages.push(
      { role: "assistant", content: [{ type: "text", text }, ...uses] },
      { role: "user", content: results },
    );
  }
}

async function listen(messages: MessageParam[], tools: Tool[]) {
  const settings = { model: "claude-sonnet-5-5", max_tokens: 1024, stream: true } as const;
  const events = await client.messages.create({ ...settings, messages, tools }); // here
  let text = "";
  const calls: { id: string; name: string; json: string }[] = [];
  for await (const event of events) {
    if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
      calls.push({ id: event.content_block.id, name: event.content_block.name, json: "" });
    }
    if (event.type !== "content_block_delta") continue;
    if (event.delta.type === "text_delta") text += event.delta.text;
    if (event.delta.type === "input_json_delta") calls[calls.length - 1]!.json += event.delta.partial_json;
  }
  return { text, calls };
}
