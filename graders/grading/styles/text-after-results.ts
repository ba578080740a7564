/** A reminder in the same message as the results, after them. */
import { callModel, executeTool, type Message, type MessageParam, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<{ message: Message; text: string }> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (let turn = 1; ; turn++) {
    const message = await callModel({ messages, tools });
    const { content, stop_reason } = message;
    if (stop_reason !== "tool_use") {
      return { message, text: content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("") };
    }
    const calls = content.filter((block) => block.type === "tool_use");
    const results = await Promise.all(
      calls.map(async ({ id, name, input }) => ({
        type: "tool_result" as const,
        tool_use_id: id,
        content: JSON.stringify(await executeTool(name, input)),
      })),
    );
    const reminder = { type: "text" as const, text: `Turn ${turn}. Stop as soon as you know enough.` };
    messages.push({ role: "assistant", content }, { role: "user", content: [...results, reminder] });
  }
}
