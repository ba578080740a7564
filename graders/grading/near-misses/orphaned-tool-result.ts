import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

const RECENT = 3;

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const prompt: MessageParam = { role: "user", content: userInput };
  let recent: MessageParam[] = [];
  let response = await callModel({ messages: [prompt], tools });
  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    recent.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    recent = recent.slice(-RECENT);
    response = await callModel({ messages: [prompt, ...recent], tools }); // here
  }
  return response;
}
