/** At its limit it asks once more without tools, so that the model says what it has. */
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

const LIMIT = 10;

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (let turn = 0; turn < LIMIT; turn++) {
    const reply = await callModel({ messages, tools });
    if (reply.stop_reason !== "tool_use") return textOf(reply);
    messages.push({ role: "assistant", content: reply.content });
    const results: ToolResultBlockParam[] = [];
    for (const block of reply.content) {
      if (block.type !== "tool_use") continue;
      try {
        const content = JSON.stringify(await executeTool(block.name, block.input));
        results.push({ type: "tool_result", tool_use_id: block.id, content });
      } catch (error) {
        results.push({ type: "tool_result", tool_use_id: block.id, content: `${error}`, is_error: true });
      }
    }
    messages.push({ role: "user", content: results });
  }
  return textOf(await callModel({ messages }));
}

function textOf({ content }: { content: { type: string; text?: string }[] }): string {
  return content.map((block) => block.text ?? "").join("");
}
