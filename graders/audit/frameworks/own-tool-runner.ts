import Anthropic from "@anthropic-ai/sdk";
import { tools } from "./tools/beta.ts";

const client = new Anthropic();

/** The SDK's own loop, with tools of its own kind. */
export function runAgent(userInput: string) {
  return client.beta.messages
    .toolRunner({
      model: "claude-sonnet-5-5",
      max_tokens: 2000,
      max_iterations: 12,
      messages: [{ role: "user", content: userInput }],
      tools,
    })
    .runUntilDone();
}
