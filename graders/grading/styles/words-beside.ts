/** Words of the host's own round the results: two user messages to begin with, and one after the results. */
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [
    { role: "user", content: "You are on call tonight. It is 03:00." },
    { role: "user", content: userInput },
  ];
  let reply = await callModel({ messages, tools });
  for (let turn = 1; reply.stop_reason === "tool_use"; turn++) {
    const results: ToolResultBlockParam[] = [];
    for (const block of reply.content) {
      if (block.type !== "tool_use") continue;
      try {
        const content = JSON.stringify(await executeTool(block.name, block.input));
        results.push({ type: "tool_result", tool_use_id: block.id, is_error: false, content });
      } catch (error) {
        results.push({ type: "tool_result", tool_use_id: block.id, is_error: true, content: `${error}` });
      }
    }
    messages.push({ role: "assistant", content: reply.content }, { role: "user", content: results });
    messages.push({ role: "user", content: `These were the results of turn ${turn}.` });
    reply = await callModel({ messages, tools });
  }
  return reply.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
