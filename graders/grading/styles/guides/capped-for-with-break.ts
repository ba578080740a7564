/** A counted loop that breaks when no tool is asked for, and returns the last text after it, however it was left. */
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

const MAX_ITERATIONS = 10;

export async function runAgent(userInput: string, tools: Tool[]) {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let finalText = "";

  for (let i = 0; i < MAX_ITERATIONS; i++) {
    const response = await callModel({ messages, tools });
    finalText = response.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    const calls = response.content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) break;

    const results: ToolResultBlockParam[] = [];
    for (const { id, name, input } of calls) {
      const result = await executeTool(name, input);
      results.push({ type: "tool_result", tool_use_id: id, content: JSON.stringify(result) });
    }
    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results });
  }

  return finalText;
}
