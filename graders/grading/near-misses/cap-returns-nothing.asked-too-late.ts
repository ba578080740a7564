import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<{ answer: string | null }> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let answer: string | null = null;
  for (let left = 10; left > 0 && answer === null; left--) {
    const response = await callModel({ messages, tools });
    if (response.stop_reason === "tool_use") {
      const results: ToolResultBlockParam[] = [];
      for (const block of response.content) {
        if (block.type !== "tool_use") continue;
        const output = await executeTool(block.name, block.input);
        results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
      }
      messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    } else {
      answer = response.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    }
  }
  return { answer };
}
