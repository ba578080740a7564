import { anthropic } from "@ai-sdk/anthropic";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { executeTool, type Tool } from "#harness";

/** The `ai` library's own loop, over the kit's tools. */
export async function runAgent(userInput: string, tools: Tool[]) {
  const { text, finishReason } = await generateText({
    model: anthropic("claude-sonnet-5-5"),
    prompt: userInput,
    stopWhen: stepCountIs(10),
    tools: Object.fromEntries(
      tools.map(({ name, description, input_schema }) => [
        name,
        tool({
          description: description ?? name,
          inputSchema: jsonSchema(input_schema as object),
          execute: (input) => executeTool(name, input),
        }),
      ]),
    ),
  });
  return { text, finishReason };
}
