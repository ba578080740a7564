import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (;;) {
    const { content, stop_reason } = await callModel({ messages, tools });
    if (stop_reason === "end_turn") return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    if (stop_reason !== "tool_use") throw new Error(`no answer: ${stop_reason}`);
    const results: ToolResultBlockParam[] = [];
    for (const block of content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content }, { role: "user", content: results });
  }
}
