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
  const seen = new Set<string>();
  for (let turn = 0; turn < 10; turn++) {
    const response = await callModel({ messages, tools });
    if (response.stop_reason !== "tool_use") return response;
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      let content = JSON.stringify(await executeTool(block.name, block.input));
      const call = `${block.name} ${JSON.stringify(block.input)} ${content}`;
      if (seen.has(call)) content += "\n\nYou have asked for this before, and nothing has changed since.";
      seen.add(call);
      results.push({ type: "tool_result", tool_use_id: block.id, content });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
  }
  throw new Error("ten turns and no answer");
}
