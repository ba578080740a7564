/** No SDK: the API by fetch, with retries of its own. */
import {
  AgentStopped,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (let turn = 0; turn < 10; turn++) {
    const reply = await post({ model: "claude-sonnet-5-5", max_tokens: 1000, messages, tools });
    const { content, stop_reason } = reply;
    if (stop_reason === "end_turn" || stop_reason === "stop_sequence") {
      return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    }
    if (stop_reason !== "tool_use" && stop_reason !== "pause_turn") throw new AgentStopped(`${stop_reason}`, messages);
    messages.push({ role: "assistant", content });
    if (stop_reason === "pause_turn") continue;
    const results: ToolResultBlockParam[] = [];
    for (const block of content) {
      if (block.type !== "tool_use") continue;
      const result: ToolResultBlockParam = { type: "tool_result", tool_use_id: block.id };
      try {
        results.push({ ...result, content: JSON.stringify(await executeTool(block.name, block.input)) });
      } catch (error) {
        results.push({ ...result, content: `${error}`, is_error: true });
      }
    }
    messages.push({ role: "user", content: results });
  }
  throw new AgentStopped("limit of turns", messages);
}

async function post(body: object): Promise<Message> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch("https://api.anthropic.com/v1/messages", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "anthropic-version": "2023-06-01",
        "x-api-key": process.env.ANTHROPIC_API_KEY ?? "",
      },
      body: JSON.stringify(body),
    });
    if (response.ok) return (await response.json()) as Message;
    const mayPass = response.status === 429 || response.status >= 500;
    if (!mayPass || attempt === 4) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
  }
}
