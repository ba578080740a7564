/** Each part in a file of its own. */
import type { Tool } from "#harness";
import { ask, open, tell } from "./conversation.ts";
import { ending } from "./ending.js";
import { runCalls } from "./tools.js";

const CAP = 10;

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const conversation = open(userInput, tools);
  let left = CAP;
  let reply = await ask(conversation);
  while (ending(reply) === "goes on") {
    left -= 1;
    if (left === 0) throw new Error(`gave up after ${CAP} requests`);
    if (reply.stop_reason === "tool_use") tell(conversation, await runCalls(reply));
    reply = await ask(conversation);
  }
  if (ending(reply) === "unfinished") throw new Error(`the model stopped because of ${reply.stop_reason}`);
  return reply.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
