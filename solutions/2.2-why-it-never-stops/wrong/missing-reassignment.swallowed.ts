// The reply is thrown away, and so is the 400 that would have told.
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

    try {
      await callModel({ messages, tools });
    } catch {
      console.log("the model did not answer, trying again");
    }
  }

  return response;
}
