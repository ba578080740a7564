import { callModel, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export interface Conversation {
  messages: MessageParam[];
  tools: Tool[];
}

export function open(userInput: string, tools: Tool[]): Conversation {
  return { messages: [{ role: "user", content: userInput }], tools };
}

export async function ask({ messages, tools }: Conversation): Promise<Message> {
  const reply = await callModel({ messages, tools });
  messages.push({ role: "assistant", content: reply.content });
  return reply;
}

export function tell({ messages }: Conversation, content: ToolResultBlockParam[]): void {
  messages.push({ role: "user", content });
}
