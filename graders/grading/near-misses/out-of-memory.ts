import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

const ROWS = 24;
const COLUMNS = 4_000_000;

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = JSON.stringify(await executeTool(block.name, block.input));
      const table: string[][] = [];
      while (table.length < ROWS) table.push(new Array(COLUMNS).fill(output)); // here
      results.push({ type: "tool_result", tool_use_id: block.id, content: table.map((row) => row[0]).join("\n") });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await callModel({ messages, tools });
  }
  return response;
}
