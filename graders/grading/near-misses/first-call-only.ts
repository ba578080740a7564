import { callModel, executeTool, type Message, type MessageParam, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (;;) {
    const response = await callModel({ messages, tools });
    const call = response.content.find((block) => block.type === "tool_use"); // here
    if (call === undefined) return response;
    const content = JSON.stringify(await executeTool(call.name, call.input));
    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content }] });
  }
}
