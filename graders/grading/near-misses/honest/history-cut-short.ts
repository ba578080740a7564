import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

const KEPT = 4;

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const prompt: MessageParam = { role: "user", content: userInput };
  let turns: MessageParam[] = [];
  let response = await callModel({ messages: [prompt], tools });
  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    turns.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    turns = turns.slice(-KEPT);
    response = await callModel({ messages: [prompt, ...turns], tools });
  }
  return response;
}
