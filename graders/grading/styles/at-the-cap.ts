/** A capped loop whose last line is what differs from one style to the next. */
import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<unknown> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let reply: Message | null = null;
  for (let turn = 0; turn < 10; turn++) {
    reply = await callModel({ messages, tools });
    if (reply.stop_reason !== "tool_use") return textOf(reply);
    messages.push({ role: "assistant", content: reply.content });
    const results: ToolResultBlockParam[] = [];
    for (const block of reply.content) {
      if (block.type !== "tool_use") continue;
      const content = JSON.stringify(await executeTool(block.name, block.input));
      results.push({ type: "tool_result", tool_use_id: block.id, content });
    }
    messages.push({ role: "user", content: results });
  }
  throw new Error("no answer within ten turns");
}

function textOf({ content }: Message): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}
