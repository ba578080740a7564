import { callModel, executeTool, type Message, type MessageParam, type Tool, type ToolUseBlock } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    const calls = response.content.filter((block) => block.type === "tool_use");
    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: await Promise.all(calls.map(resultOf)) });
    response = await callModel({ messages, tools });
  }
  return response;
}

async function resultOf({ id, name, input }: ToolUseBlock) {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`${name} gave no answer within 30 s`)), 30_000);
  });
  try {
    const output = await Promise.race([executeTool(name, input), late]);
    return { type: "tool_result" as const, tool_use_id: id, content: JSON.stringify(output) };
  } catch (error) {
    return { type: "tool_result" as const, tool_use_id: id, content: String(error), is_error: true };
  }
}
