import { anthropic } from "@ai-sdk/anthropic";
import { jsonSchema, stepCountIs, streamText, tool } from "ai";
import { executeTool, type Tool } from "#harness";

/** The `ai` library's own loop, streamed, over the kit's tools. */
export async function runAgent(userInput: string, tools: Tool[]) {
  let failure: unknown = null;
  const result = streamText({
    model: anthropic("claude-sonnet-5-5"),
    prompt: userInput,
    stopWhen: stepCountIs(10),
    onError: ({ error }) => {
      failure = error;
    },
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
  await result.consumeStream();
  if (failure !== null) throw failure;
  return { text: await result.text, finishReason: await result.finishReason };
}
