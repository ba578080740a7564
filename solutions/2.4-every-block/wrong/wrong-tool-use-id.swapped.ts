// Runs the calls at once and pairs the results as they finish, not as they were asked for.
import { callModel, executeTool, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];

  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const calls = response.content.filter((block) => block.type === "tool_use");
    const results: ToolResultBlockParam[] = [];
    const outputs: unknown[] = [];
    await Promise.all(
      calls.map(async (call) => {
        outputs.push(await executeTool(call.name, call.input));
      }),
    );
    calls.forEach((call, index) => {
      results.push({ type: "tool_result", tool_use_id: call.id, content: String(outputs[index]) });
    });

    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results });

    response = await callModel({ messages, tools });
  }

  return response;
}
