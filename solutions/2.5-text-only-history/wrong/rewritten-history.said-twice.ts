// The words of a turn go into the history, and then the whole turn with the same words.
import { callModel, executeTool, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];

  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = await executeTool(block.name, block.input);
      results.push({ type: "tool_result", tool_use_id: block.id, content: String(output) });
    }

    const said = textOf(response);
    if (said !== "") messages.push({ role: "assistant", content: said });
    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results });

    response = await callModel({ messages, tools });
  }

  return response;
}

function textOf(message: Message): string {
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
