import { callModel, executeTool, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  const response = await callModel({ messages: [{ role: "user", content: userInput }], tools });
  for (const block of response.content) {
    if (block.type === "tool_use") await executeTool(block.name, block.input);
  }
  return response;
}
