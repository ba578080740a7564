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
    const turn = await listen(messages, tools);
    if (turn === null) continue;
    if (turn.calls.length === 0) return turn.text;
    messages.push({ role: "assistant", content: turn.calls });
    messages.push({ role: "user", content: await Promise.all(turn.results) });
  }
}

async function listen(messages: MessageParam[], tools: Tool[]) {
  const settings = { model: "claude-sonnet-5-5", max_tokens: 1024, stream: true } as const;
  const calls: Call[] = [];
  const results: Promise<ToolResultBlockParam>[] = [];
  let text = "";
  let json = "";
  let open: Call | null = null;
  let over = false;
  for await (const event of await client.messages.create({ ...settings, messages, tools })) {
    if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
      const { id, name } = event.content_block;
      open = { type: "tool_use", id, name, input: {} };
      json = "";
    } else if (event.type === "content_block_delta") {
      if (event.delta.type === "text_delta") text += event.delta.text;
      if (event.delta.type === "input_json_delta") json += event.delta.partial_json;
    } else if (event.type === "content_block_stop" && open !== null) {
      const call = { ...open, input: JSON.parse(json || "{}") };
      calls.push(call);
      results.push(resultOf(call));
      open = null;
    } else if (event.type === "message_stop") {
      over = true;
    }
  }
  return over ? { text, calls, results } : null;
}

async function resultOf({ id, name, input }: Call): Promise<ToolResultBlockParam> {
  const output = await executeTool(name, input);
  return { type: "tool_result", tool_use_id: id, content: JSON.stringify(output) };
}
