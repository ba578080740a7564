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
    const calls = response.content.filter((block) => block.type === "tool_use");
    const results: ToolResultBlockParam[] = [];
    await Promise.all(
      calls.map(async ({ id, name, input }) => {
        const output = await executeTool(name, input);
        results.push({ type: "tool_result", tool_use_id: id, content: JSON.stringify(output) });
      }),
    );
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await callModel({ messages, tools });
  }
  return response;
}
