import { executeTool, type Message, type ToolResultBlockParam, type ToolUseBlock } from "#harness";
import { approve } from "./approve.ts";

export async function runCalls({ content }: Message): Promise<ToolResultBlockParam[]> {
  const results: ToolResultBlockParam[] = [];
  for (const block of content) if (block.type === "tool_use") results.push(await runCall(block));
  return results;
}

async function runCall(call: ToolUseBlock): Promise<ToolResultBlockParam> {
  const result = { type: "tool_result" as const, tool_use_id: call.id };
  const objection = approve(call);
  if (objection !== null) return { ...result, is_error: true, content: objection };
  try {
    return { ...result, content: JSON.stringify(await executeTool(call.name, call.input)) };
  } catch (error) {
    return { ...result, is_error: true, content: `The tool failed. ${(error as Error).message}` };
  }
}
