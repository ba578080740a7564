/** A counted loop that throws when it gives up, with the conversation in the error. */
import {
  AgentStopped,
  callModel,
  executeTool,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
  type ToolUseBlock,
} from "#harness";

const MAX_TURNS = 10;

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const response = await callModel({ messages, tools });
    messages.push({ role: "assistant", content: response.content });
    if (response.stop_reason === "pause_turn") continue;
    if (response.stop_reason === "end_turn" || response.stop_reason === "stop_sequence") {
      return response.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    }
    if (response.stop_reason !== "tool_use") throw new AgentStopped(`stopped by ${response.stop_reason}`, messages);
    const calls = response.content.filter((block) => block.type === "tool_use");
    messages.push({ role: "user", content: await Promise.all(calls.map(answer)) });
  }
  throw new AgentStopped(`no answer after ${MAX_TURNS} turns`, messages);
}

async function answer({ id, name, input }: ToolUseBlock): Promise<ToolResultBlockParam> {
  try {
    return { type: "tool_result", tool_use_id: id, content: JSON.stringify(await executeTool(name, input)) };
  } catch (error) {
    const content = error instanceof Error && error.message ? error.message : "the tool failed";
    return { type: "tool_result", tool_use_id: id, is_error: true, content };
  }
}
