import { ChatAnthropic } from "@langchain/anthropic";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { tools } from "./tools/langchain.ts";

const agent = createReactAgent({ llm: new ChatAnthropic({ model: "claude-sonnet-5-5", maxRetries: 2 }), tools });

/** LangGraph's own agent over tools of its own; the last message's text alone is handed back. */
export async function runAgent(prompt: string): Promise<string> {
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: prompt }] });
  return messages.at(-1)?.text ?? "";
}
