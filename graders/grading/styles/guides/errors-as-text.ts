/** A tool's error is handed to the model as plain text, like any other result. */
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      let content: string;
      try {
        content = JSON.stringify(await executeTool(block.name, block.input));
      } catch (error) {
        content = JSON.stringify({ error: (error as Error).message });
      }
      results.push({ type: "tool_result", tool_use_id: block.id, content });
    }
    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results });
    response = await callModel({ messages, tools });
  }

  return response.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
