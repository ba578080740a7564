/** A reply cut at max_tokens is no end: a cut call is answered with an error, cut text is asked to go on. */
import {
  AgentStopped,
  callModel,
  executeTool,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

const CUT = "Your call was cut off before it was complete, so it was not run. Send it again.";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let text = "";
  for (let turn = 0; turn < 10; turn++) {
    const { content, stop_reason } = await callModel({ messages, tools });
    const said = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    if (stop_reason === "end_turn" || stop_reason === "stop_sequence") return text + said;
    messages.push({ role: "assistant", content });
    if (stop_reason === "pause_turn") continue;
    const calls = content.filter((block) => block.type === "tool_use");
    if (stop_reason === "max_tokens" && calls.length === 0) {
      text += said;
      messages.push({ role: "user", content: "Please continue where you stopped." });
    } else if (stop_reason === "max_tokens") {
      const results = calls.map(({ id }) => ({
        type: "tool_result" as const,
        tool_use_id: id,
        is_error: true,
        content: CUT,
      }));
      messages.push({ role: "user", content: results });
    } else if (stop_reason === "tool_use") {
      const results: ToolResultBlockParam[] = [];
      for (const { id, name, input } of calls) {
        try {
          const output = await executeTool(name, input);
          results.push({ type: "tool_result", tool_use_id: id, content: JSON.stringify(output) });
        } catch (error) {
          results.push({ type: "tool_result", tool_use_id: id, content: (error as Error).message, is_error: true });
        }
      }
      messages.push({ role: "user", content: results });
    } else {
      throw new AgentStopped(String(stop_reason), messages);
    }
  }
  throw new AgentStopped("ten turns", messages);
}
