// Runs each tool once a turn: the second call of the same tool gets a brush-off.
import { callModel, executeTool, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];

  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const calls = response.content.filter((block) => block.type === "tool_use");
    const results: ToolResultBlockParam[] = [];
    const done = new Set<string>();
    for (const call of calls) {
      if (done.has(call.name)) {
        results.push({ type: "tool_result", tool_use_id: call.id, content: `${call.name} was already run` });
        continue;
      }
      done.add(call.name);
      const output = await executeTool(call.name, call.input);
      results.push({ type: "tool_result", tool_use_id: call.id, content: String(output) });
    }

    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results });

    response = await callModel({ messages, tools });
  }

  return response;
}
