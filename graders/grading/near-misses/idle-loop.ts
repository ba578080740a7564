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
    const results: ToolResultBlockParam[] = [];
    const calls = response.content.filter((block) => block.type === "tool_use");
    for (const call of calls.slice(1)) {
      executeTool(call.name, call.input).then((output) => {
        results.push({ type: "tool_result", tool_use_id: call.id, content: JSON.stringify(output) });
      });
    }
    while (results.length < calls.length) {
      await new Promise((resolve) => setTimeout(resolve, 50)); // here
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await callModel({ messages, tools });
  }
  return response;
}
