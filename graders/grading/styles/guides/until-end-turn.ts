/** The recipe that goes on until the model says end_turn, whatever else it says. */
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });

  while (response.stop_reason !== "end_turn") {
    messages.push({ role: "assistant", content: response.content });
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const result = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(result) });
    }
    messages.push({ role: "user", content: results });
    response = await callModel({ messages, tools });
  }

  return response.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
