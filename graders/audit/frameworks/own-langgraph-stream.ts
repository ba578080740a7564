import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseMessage } from "@langchain/core/messages";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { tools } from "./tools/langchain.ts";

const agent = createReactAgent({
  llm: new ChatAnthropic({ model: "claude-sonnet-5-5", maxRetries: 2, streaming: true }),
  tools,
});

/** LangGraph's own agent, streamed; the messages of every step are handed on as they come. */
export async function* runAgent(prompt: string) {
  const steps = await agent.stream({ messages: [{ role: "user", content: prompt }] }, { streamMode: "updates" });
  for await (const step of steps) {
    for (const { messages } of Object.values(step) as { messages: BaseMessage[] }[]) {
      for (const message of messages) {
        yield { type: message.getType(), text: message.text, ...message.additional_kwargs };
      }
    }
  }
}
