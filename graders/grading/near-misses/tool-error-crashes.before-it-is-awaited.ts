import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    const started = response.content
      .filter((block) => block.type === "tool_use")
      .map((call) => ({
        id: call.id,
        output: executeTool(call.name, call.input), // here
      }));
    const results: ToolResultBlockParam[] = [];
    for (const { id, output } of started) {
      results.push({ type: "tool_result", tool_use_id: id, content: JSON.stringify(await output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await callModel({ messages, tools });
  }
  return response;
}
