import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

const MAX_TURNS = 10;

export async function runAgent(userInput: string, tools: Tool[]): Promise<string | undefined> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const response = await callModel({ messages, tools });
    if (response.stop_reason !== "tool_use") {
      return response.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    }
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
  }
  console.log("too many turns");
}
