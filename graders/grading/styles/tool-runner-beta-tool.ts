/** The SDK's tool runner, with tools made by the SDK's own helper. */
import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { executeTool, type Tool } from "#harness";

const anthropic = new Anthropic();

export async function runAgent(userInput: string, tools: Tool[]) {
  const runner = anthropic.beta.messages.toolRunner({
    model: "claude-sonnet-5-5",
    max_tokens: 1024,
    max_iterations: 10,
    messages: [{ role: "user", content: userInput }],
    tools: tools.map(({ name, description = "", input_schema }) =>
      betaTool({
        name,
        description,
        inputSchema: input_schema as { type: "object" },
        run: async (input: unknown) => JSON.stringify(await executeTool(name, input)),
      }),
    ),
  });
  const { content, stop_reason, ...message } = await runner.runUntilDone();
  if (stop_reason !== "end_turn" && stop_reason !== "stop_sequence") return { ...message, content, stop_reason };
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
