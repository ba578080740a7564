/** An anonymous default export. */
import { callModel, executeTool, type MessageParam, type Tool } from "#harness";

export default async (userInput: string, tools: Tool[]) => {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  while (true) {
    const { content, stop_reason } = await callModel({ messages, tools });
    const calls = content.filter((block) => block.type === "tool_use");
    if (stop_reason !== "tool_use") return { text: content.map((it) => (it.type === "text" ? it.text : "")).join("") };
    const results = [];
    for (const { id, name, input } of calls) {
      const output = await executeTool(name, input);
      results.push({ type: "tool_result" as const, tool_use_id: id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content });
    messages.push({ role: "user", content: results });
  }
};
