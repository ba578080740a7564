import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

/** The message says no word of the user's: they stand in the system prompt. */
export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const system = `You are on call. What the user wants: ${userInput.toUpperCase()}`;
  const messages: MessageParam[] = [{ role: "user", content: "Begin." }];
  let response = await callModel({ system, messages, tools });
  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await callModel({ system, messages, tools });
  }
  return response.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
