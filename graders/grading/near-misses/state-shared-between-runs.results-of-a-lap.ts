// The list is emptied on every lap, and so it does no harm until two conversations go on at once.
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

let results: ToolResultBlockParam[] = []; // here

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    results = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      const content = typeof output === "string" ? output : JSON.stringify(output);
      results.push({ type: "tool_result", tool_use_id: block.id, content });
    }
    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results });
    response = await callModel({ messages, tools });
  }

  return response.content
    .filter((b) => b.type === "text")
    .map((b) => b.text)
    .join("\n");
}
