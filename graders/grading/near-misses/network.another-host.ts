import Anthropic from "@anthropic-ai/sdk";
import { executeTool, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

const client = new Anthropic({ baseURL: "https://models.example.com" });
const settings = { model: "claude-sonnet-5-5", max_tokens: 1024 } as const;

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (;;) {
    const response = await client.messages.create({ ...settings, messages, tools }); // here
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
