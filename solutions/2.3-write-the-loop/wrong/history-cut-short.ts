// Makes the history anew in each turn: the question, the last turn and its results.
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];

  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      const content = typeof output === "string" ? output : JSON.stringify(output);
      results.push({ type: "tool_result", tool_use_id: block.id, content });
    }

    response = await callModel({
      messages: [
        { role: "user", content: userInput },
        { role: "assistant", content: response.content },
        { role: "user", content: results },
      ],
      tools,
    });
  }

  return response.content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n");
}
