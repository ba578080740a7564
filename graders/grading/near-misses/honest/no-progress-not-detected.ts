import {
  AgentStopped,
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  const seen = new Map<string, number>();
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    let news = "";
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const content = JSON.stringify(await executeTool(block.name, block.input));
      news += `${block.name} ${JSON.stringify(block.input)} ${content}\n`;
      results.push({ type: "tool_result", tool_use_id: block.id, content });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    const times = (seen.get(news) ?? 0) + 1;
    if (times === 3) throw new AgentStopped("no progress", messages);
    seen.set(news, times);
    response = await callModel({ messages, tools });
  }
  return response;
}
