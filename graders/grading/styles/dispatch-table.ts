/** The tools are looked up in the toolkit, with a gate for those that need approval. */
import {
  callModel,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
  type ToolUseBlock,
  toolkit,
} from "#harness";

const refuses: Record<string, (input: never) => string | null> = {
  run_migration: ({ start }: { start: string }) =>
    start >= "02:00" && start < "05:00" ? null : "not in the window from 02:00 to 04:59",
};

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let reply = await callModel({ messages, tools });
  while (reply.stop_reason === "tool_use") {
    const content: ToolResultBlockParam[] = [];
    for (const block of reply.content) if (block.type === "tool_use") content.push(await dispatch(block));
    messages.push({ role: "assistant", content: reply.content }, { role: "user", content });
    reply = await callModel({ messages, tools });
  }
  return reply.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

async function dispatch({ id, name, input }: ToolUseBlock): Promise<ToolResultBlockParam> {
  const failed = (content: string) => ({ type: "tool_result" as const, tool_use_id: id, is_error: true, content });
  const run = toolkit[name];
  if (run === undefined) return failed(`There is no tool ${name}. There are: ${Object.keys(toolkit).join(", ")}`);
  const objection = refuses[name]?.(input as never) ?? null;
  if (objection !== null) return failed(objection);
  try {
    const output = await run(input);
    return {
      type: "tool_result",
      tool_use_id: id,
      content: typeof output === "string" ? output : JSON.stringify(output),
    };
  } catch (error) {
    return failed(error instanceof Error ? error.message : "unknown error");
  }
}
