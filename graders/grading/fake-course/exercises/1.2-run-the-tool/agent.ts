import { type Message, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  throw new Error("runAgent: todavía sin escribir / not written yet");
}
