/** `for (;;)` and a switch over every stop_reason; what ends it is told in an object. */
import {
  type ContentBlock,
  callModel,
  executeTool,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let requests = 0;
  for (;;) {
    if (requests === 10) return { status: "limit", requests, messages };
    const response = await callModel({ messages, tools });
    requests += 1;
    const text = say(response.content);
    switch (response.stop_reason) {
      case "tool_use":
        messages.push({ role: "assistant", content: response.content });
        messages.push({ role: "user", content: await runAll(response.content) });
        break;
      case "pause_turn":
        messages.push({ role: "assistant", content: response.content });
        break;
      case "end_turn":
      case "stop_sequence":
        return { status: "done", text };
      case "max_tokens":
      case "model_context_window_exceeded":
        return { status: "cut", partial: text };
      case "refusal":
        return { status: "declined", details: response.stop_details };
      default:
        return { status: `unknown: ${String(response.stop_reason)}`, text };
    }
  }
}

async function runAll(content: ContentBlock[]): Promise<ToolResultBlockParam[]> {
  const results: ToolResultBlockParam[] = [];
  for (const block of content) {
    if (block.type !== "tool_use") continue;
    try {
      const output = await executeTool(block.name, block.input);
      const text = typeof output === "string" ? output : JSON.stringify(output);
      results.push({ type: "tool_result", tool_use_id: block.id, content: [{ type: "text", text }] });
    } catch (error) {
      const text = `Failed: ${(error as Error).message}`;
      results.push({ type: "tool_result", tool_use_id: block.id, content: [{ type: "text", text }], is_error: true });
    }
  }
  return results;
}

function say(content: ContentBlock[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
