import { callModel, executeTool, type Message, type MessageParam, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    messages.push({ role: "assistant", content: response.content });
    const calls = response.content.filter((block) => block.type.endsWith("tool_use")); // here
    const results = await Promise.all(
      calls.map((call) => answer(call as { id: string; name: string; input: unknown })),
    );
    messages.push({ role: "user", content: results });
    response = await callModel({ messages, tools });
  }
  return response;
}

async function answer({ id, name, input }: { id: string; name: string; input: unknown }) {
  try {
    return { type: "tool_result" as const, tool_use_id: id, content: JSON.stringify(await executeTool(name, input)) };
  } catch (error) {
    return { type: "tool_result" as const, tool_use_id: id, content: String(error), is_error: true };
  }
}
