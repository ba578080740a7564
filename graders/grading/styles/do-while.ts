/** The condition at the end, and the reply pushed before anything is known of it. */
import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let reply: Message;
  do {
    reply = await callModel({ messages, tools });
    messages.push({ role: "assistant", content: reply.content });
    const results: ToolResultBlockParam[] = [];
    for (const block of reply.content) {
      if (reply.stop_reason === "tool_use" && block.type === "tool_use") {
        try {
          const content = JSON.stringify(await executeTool(block.name, block.input));
          results.push({ type: "tool_result", tool_use_id: block.id, content });
        } catch (error) {
          results.push({ type: "tool_result", tool_use_id: block.id, is_error: true, content: String(error) });
        }
      }
    }
    if (results.length > 0) messages.push({ role: "user", content: results });
  } while (reply.stop_reason === "tool_use");
  let text = "";
  for (const block of reply.content) if (block.type === "text") text += block.text;
  return text;
}
