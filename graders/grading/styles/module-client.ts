/** A client of one's own, made when the module loads. */
import { Anthropic } from "@anthropic-ai/sdk";
import { executeTool, type Tool } from "#harness";

const anthropic = new Anthropic({ maxRetries: 4 });
const settings = { model: "claude-sonnet-5-5", max_tokens: 4096 } as const;

export async function runAgent(userInput: string, tools: Tool[]) {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: [{ type: "text", text: userInput }] }];
  let response = await anthropic.messages.create({ ...settings, messages, tools, system: "You are on call." });
  for (let turn = 1; turn < 10; turn++) {
    if (response.stop_reason !== "tool_use" && response.stop_reason !== "pause_turn") break;
    messages.push({ role: "assistant", content: response.content });
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      try {
        const output = await executeTool(block.name, block.input);
        results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
      } catch (error) {
        results.push({ type: "tool_result", tool_use_id: block.id, content: `${error}`, is_error: true });
      }
    }
    if (results.length > 0) messages.push({ role: "user", content: results });
    response = await anthropic.messages.create({ ...settings, messages, tools, system: "You are on call." });
  }
  if (response.stop_reason !== "end_turn" && response.stop_reason !== "stop_sequence") return response;
  return response.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}
