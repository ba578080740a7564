// The next step is set off and nobody waits for it: the function ends while the model is being asked.
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  return (await step([{ role: "user", content: userInput }], tools)) as string;
}

async function step(messages: MessageParam[], tools: Tool[]): Promise<string | undefined> {
  const response = await callModel({ messages, tools });
  if (response.stop_reason !== "tool_use") {
    return response.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  }

  const results: ToolResultBlockParam[] = [];
  for (const block of response.content) {
    if (block.type !== "tool_use") continue;
    const output = await executeTool(block.name, block.input);
    const content = typeof output === "string" ? output : JSON.stringify(output);
    results.push({ type: "tool_result", tool_use_id: block.id, content });
  }

  messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
  step(messages, tools);
}
