import { ChatAnthropic } from "@langchain/anthropic";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { executeTool, type Tool } from "#harness";

/** LangGraph's own agent over the kit's tools. */
export async function runAgent(userInput: string, tools: Tool[]) {
  const agent = createReactAgent({
    llm: new ChatAnthropic({ model: "claude-sonnet-5-5", maxRetries: 2 }),
    tools: tools.map(({ name, description, input_schema }) =>
      tool(
        async (input) => {
          const output = await executeTool(name, input);
          return typeof output === "string" ? output : JSON.stringify(output);
        },
        { name, description: description ?? name, schema: input_schema },
      ),
    ),
  });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: userInput }] }, { recursionLimit: 25 });
  const last = messages.at(-1);
  return { text: last?.text, stop: last?.response_metadata };
}
