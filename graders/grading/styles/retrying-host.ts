/** A failed tool is tried three times before the model hears of it. */
import { AgentStopped, callModel, executeTool, type MessageParam, type Tool, type ToolUseBlock } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (let turn = 0; turn < 10; turn++) {
    const reply = await callModel({ messages, tools });
    messages.push({ role: "assistant", content: reply.content });
    if (reply.stop_reason === "pause_turn") continue;
    if (reply.stop_reason === "tool_use") {
      const results = [];
      for (const block of reply.content) if (block.type === "tool_use") results.push(await persist(block));
      messages.push({ role: "user", content: results });
      continue;
    }
    if (reply.stop_reason === "end_turn" || reply.stop_reason === "stop_sequence") {
      return reply.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    }
    throw new AgentStopped(String(reply.stop_reason), messages);
  }
  throw new AgentStopped("cap of ten turns", messages);
}

async function persist({ id, name, input }: ToolUseBlock) {
  let problem = "";
  for (let attempt = 1; attempt <= 3; attempt++) {
    try {
      return { type: "tool_result" as const, tool_use_id: id, content: JSON.stringify(await executeTool(name, input)) };
    } catch (error) {
      problem = (error as Error).message;
      await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
    }
  }
  return { type: "tool_result" as const, tool_use_id: id, is_error: true, content: `Failed three times: ${problem}` };
}
