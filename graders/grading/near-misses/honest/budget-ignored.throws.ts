import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

export async function runAgent(userInput: string, tools: Tool[], { budget }: { budget: number }): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let spent = 0;
  for (;;) {
    if (spent >= budget) throw new Error(`${spent} of ${budget} tokens are spent`);
    const response = await callModel({ messages, tools });
    spent += response.usage.input_tokens + response.usage.output_tokens;
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
