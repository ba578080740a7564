/** A function that calls itself and grows one shared list. */
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  return converse([{ role: "user", content: userInput }], tools);
}

async function converse(messages: MessageParam[], tools: Tool[]): Promise<string> {
  const { content, stop_reason } = await callModel({ messages, tools });
  messages.push({ role: "assistant", content });
  if (stop_reason === "pause_turn") return converse(messages, tools);
  if (stop_reason !== "tool_use") {
    return content
      .filter((block) => block.type === "text")
      .map(({ text }) => text)
      .join("\n\n");
  }
  const results: ToolResultBlockParam[] = [];
  messages.push({ role: "user", content: results });
  for (const call of content.filter((block) => block.type === "tool_use")) {
    results.push(
      await executeTool(call.name, call.input).then(
        (output) => ({ type: "tool_result" as const, tool_use_id: call.id, content: JSON.stringify(output) }),
        (error: Error) => ({
          type: "tool_result" as const,
          tool_use_id: call.id,
          content: error.message,
          is_error: true,
        }),
      ),
    );
  }
  return converse(messages, tools);
}
