// An object goes back as it is, and the 400 that tells of it is thrown away: each lap acts on the old reply.
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];

  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: output as string });
    }

    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results });

    try {
      response = await callModel({ messages, tools });
    } catch {
      console.log("the model did not answer, trying again");
    }
  }

  return response.content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n");
}
