/** Promises are kept in variables and awaited some lines later. */
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let asking = callModel({ messages, tools });
  for (;;) {
    const response = await asking;
    if (response.stop_reason !== "tool_use") {
      const texts = response.content.filter((block) => block.type === "text");
      return texts.map((block) => block.text).join("");
    }
    const calls = response.content.filter((block) => block.type === "tool_use");
    const running = calls.map((call) => executeTool(call.name, call.input));
    messages.push({ role: "assistant", content: response.content });
    const settled = await Promise.allSettled(running);
    const results = calls.map(({ id }, index): ToolResultBlockParam => {
      const outcome = settled[index]!;
      if (outcome.status === "fulfilled") {
        return { type: "tool_result", tool_use_id: id, content: JSON.stringify(outcome.value) };
      }
      return { type: "tool_result", tool_use_id: id, content: String(outcome.reason), is_error: true };
    });
    messages.push({ role: "user", content: results });
    asking = callModel({ messages, tools });
  }
}
