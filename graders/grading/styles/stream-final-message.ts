/** The SDK's stream, read to its final message; a stream that breaks is begun again. */
import {
  AgentStopped,
  client,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolUseBlock,
} from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (let turn = 0; turn < 10; turn++) {
    const message = await ask(messages, tools);
    messages.push({ role: "assistant", content: message.content });
    if (message.stop_reason === "pause_turn") continue;
    if (message.stop_reason === "tool_use") {
      const calls = message.content.filter((block) => block.type === "tool_use");
      messages.push({ role: "user", content: await Promise.all(calls.map(resultOf)) });
    } else if (message.stop_reason === "end_turn" || message.stop_reason === "stop_sequence") {
      return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    } else {
      throw new AgentStopped(String(message.stop_reason), messages);
    }
  }
  throw new AgentStopped("turn limit", messages);
}

async function ask(messages: MessageParam[], tools: Tool[]): Promise<Message> {
  for (let attempt = 1; ; attempt++) {
    try {
      const stream = client.messages.stream({ model: "claude-sonnet-5-5", max_tokens: 2048, messages, tools });
      return await stream.finalMessage();
    } catch (error) {
      // An error with a status is one that the SDK has retried already.
      if ((error as { status?: number }).status !== undefined || attempt === 3) throw error;
    }
  }
}

async function resultOf({ id, name, input }: ToolUseBlock) {
  try {
    return { type: "tool_result" as const, tool_use_id: id, content: JSON.stringify(await executeTool(name, input)) };
  } catch (error) {
    const content = `Error: ${(error as Error).message}`;
    return { type: "tool_result" as const, tool_use_id: id, content, is_error: true };
  }
}
