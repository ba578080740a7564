/** The SDK's tool runner, awaited: its last message is all one sees of it. */
import Anthropic from "@anthropic-ai/sdk";
import { type Tool, toolkit } from "#harness";

const anthropic = new Anthropic();

export async function runAgent(userInput: string, tools: Tool[]) {
  const message = await anthropic.beta.messages.toolRunner({
    model: "claude-sonnet-5-5",
    max_tokens: 1024,
    max_iterations: 10,
    messages: [{ role: "user", content: userInput }],
    tools: tools.map((tool) => ({
      ...tool,
      parse: (input: unknown) => input,
      run: async (input: unknown) => JSON.stringify(await toolkit[tool.name]!(input)),
    })),
  });
  if (message.stop_reason !== "end_turn" && message.stop_reason !== "stop_sequence") return message;
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
