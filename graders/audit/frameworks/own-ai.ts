import { anthropic } from "@ai-sdk/anthropic";
import { generateText, stepCountIs } from "ai";
import { tools } from "./tools/ai.ts";

/** The `ai` library's own loop over tools of its own; the text alone is handed back, as its guides do. */
export async function runAgent(prompt: string): Promise<string> {
  const { text } = await generateText({
    model: anthropic("claude-sonnet-5-5"),
    prompt,
    tools,
    stopWhen: stepCountIs(10),
  });
  return text;
}
