import process from "node:process";
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<void> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  while (true) {
    const response = await callModel({ messages, tools });
    if (response.stop_reason !== "tool_use") {
      for (const block of response.content) if (block.type === "text") console.log(block.text);
      process.exit(0); // here
    }
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
  }
}
