/** An async generator: it hands out each step as it happens, and its last value is the answer. */
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

type Step = { kind: "text"; text: string } | { kind: "tool"; name: string } | { kind: "stopped"; why: string };

export async function* runAgent(userInput: string, tools: Tool[]): AsyncGenerator<Step, string | undefined> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (let turn = 1; turn <= 10; turn++) {
    const response = await callModel({ messages, tools });
    for (const block of response.content) if (block.type === "text") yield { kind: "text", text: block.text };
    messages.push({ role: "assistant", content: response.content });
    if (response.stop_reason === "pause_turn") continue;
    if (response.stop_reason === "end_turn" || response.stop_reason === "stop_sequence") {
      return response.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    }
    if (response.stop_reason !== "tool_use") {
      yield { kind: "stopped", why: String(response.stop_reason) };
      return undefined;
    }
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      yield { kind: "tool", name: block.name };
      const result: ToolResultBlockParam = { type: "tool_result", tool_use_id: block.id };
      try {
        result.content = JSON.stringify(await executeTool(block.name, block.input));
      } catch (error) {
        result.content = (error as Error).message;
        result.is_error = true;
      }
      results.push(result);
    }
    messages.push({ role: "user", content: results });
  }
  yield { kind: "stopped", why: "ten turns and no answer" };
  return undefined;
}
