/** The least loop that guides show: one tool a turn, and nothing may go wrong. */
import { callModel, executeTool, type MessageParam, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const toolUse = response.content.find((block) => block.type === "tool_use")!;
    const result = await executeTool(toolUse.name, toolUse.input);

    messages.push({ role: "assistant", content: response.content });
    messages.push({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: toolUse.id, content: JSON.stringify(result) }],
    });
    response = await callModel({ messages, tools });
  }

  return response.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
