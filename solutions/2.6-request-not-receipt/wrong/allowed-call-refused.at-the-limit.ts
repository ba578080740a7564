// Refuses the first minute of the window.
import { callModel, executeTool, type Message, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

const REFUSED = "run_migration is only allowed with a start between 02:00 and 04:59; it was not run.";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];

  let response = await callModel({ messages, tools });

  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const call of response.content) {
      if (call.type !== "tool_use") continue;
      if (call.name === "run_migration" && !isInsideWindow(call.input)) {
        results.push({ type: "tool_result", tool_use_id: call.id, is_error: true, content: REFUSED });
        continue;
      }
      const output = await executeTool(call.name, call.input);
      results.push({ type: "tool_result", tool_use_id: call.id, content: String(output) });
    }

    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: results });

    response = await callModel({ messages, tools });
  }

  return response;
}

/** "HH:MM" strings sort like the times they stand for. */
function isInsideWindow(input: unknown): boolean {
  const { start } = input as { start?: unknown };
  return typeof start === "string" && start > "02:00" && start <= "04:59";
}
