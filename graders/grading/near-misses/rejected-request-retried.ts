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
  let response = await patiently(messages, tools);
  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await patiently(messages, tools);
  }
  return response;
}

async function patiently(messages: MessageParam[], tools: Tool[]): Promise<Message> {
  for (let attempt = 1; attempt < 3; attempt++) {
    try {
      return await callModel({ messages, tools }); // here
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000 * attempt));
    }
  }
  return callModel({ messages, tools });
}
