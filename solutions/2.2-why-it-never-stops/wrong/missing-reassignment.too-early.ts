// The answer goes into a new `response`, and the lines above it already mean that one: the language stops the loop.
import { callModel, executeTool, type Message, type MessageParam, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];

  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const call = response.content.find((block) => block.type === "tool_use")!;
    const output = await executeTool(call.name, call.input);

    messages.push({ role: "assistant", content: response.content });
    messages.push({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: call.id, content: String(output) }],
    });

    let response = await callModel({ messages, tools });
  }

  return response;
}
