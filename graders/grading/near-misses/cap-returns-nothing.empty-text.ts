import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

const MAX_TURNS = 10;

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let answer = "";
  let turns = 0;
  while (answer === "" && turns < MAX_TURNS) {
    turns += 1;
    const response = await callModel({ messages, tools });
    if (response.stop_reason !== "tool_use") {
      answer = response.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      break;
    }
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
  }
  return answer;
}
