import { client, executeTool, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (;;) {
    let said = "";
    let response: Message | null = null;
    const stream = client.messages.stream({ model: "claude-sonnet-5-5", max_tokens: 1024, messages, tools }); // here
    stream.on("text", (piece) => {
      said += piece;
    });
    try {
      response = await stream.finalMessage();
    } catch (error) {
      console.log("the stream broke:", error);
    }
    if (response?.stop_reason !== "tool_use") return said;
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
  }
}
