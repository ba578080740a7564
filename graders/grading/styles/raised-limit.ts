/** A reply cut at max_tokens is asked for again, without it and with room for more; a refusal goes to another model. */
import {
  AgentStopped,
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolUseBlock,
} from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (let turn = 0; turn < 10; turn++) {
    const reply = await patiently(messages, tools);
    messages.push({ role: "assistant", content: reply.content });
    if (reply.stop_reason === "end_turn" || reply.stop_reason === "stop_sequence") {
      return reply.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    }
    if (reply.stop_reason === "tool_use") {
      const calls = reply.content.filter((block) => block.type === "tool_use");
      messages.push({ role: "user", content: await Promise.all(calls.map(resultOf)) });
    } else if (reply.stop_reason !== "pause_turn") {
      throw new AgentStopped(String(reply.stop_reason), messages);
    }
  }
  throw new AgentStopped("too many turns", messages);
}

async function patiently(messages: MessageParam[], tools: Tool[]): Promise<Message> {
  let reply = await callModel({ messages, tools, max_tokens: 1000 });
  for (const max_tokens of [4000, 16_000]) {
    if (reply.stop_reason === "max_tokens") reply = await callModel({ messages, tools, max_tokens });
  }
  if (reply.stop_reason === "refusal") reply = await callModel({ messages, tools, model: "claude-opus-5-5" });
  return reply;
}

async function resultOf({ id, name, input }: ToolUseBlock) {
  try {
    return { type: "tool_result" as const, tool_use_id: id, content: JSON.stringify(await executeTool(name, input)) };
  } catch (error) {
    return { type: "tool_result" as const, tool_use_id: id, content: String(error), is_error: true };
  }
}
