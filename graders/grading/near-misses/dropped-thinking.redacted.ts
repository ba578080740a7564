import {
  type ContentBlock,
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
    const turn: ContentBlock[] = [];
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type === "text" || block.type === "thinking") turn.push(block);
      if (block.type !== "tool_use") continue;
      turn.push(block);
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: turn }, { role: "user", content: results }); // here
    response = await callModel({ messages, tools });
  }
  return response;
}
