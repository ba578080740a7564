/** No push anywhere: every turn makes a new list. */
import { callModel, executeTool, type MessageParam, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  let messages: readonly MessageParam[] = [{ role: "user", content: userInput }];
  let turns = 0;
  let reply = await callModel({ messages: [...messages], tools });
  while ((reply.stop_reason === "tool_use" || reply.stop_reason === "pause_turn") && ++turns < 10) {
    const said = { role: "assistant" as const, content: reply.content };
    const calls = reply.content.filter((block) => block.type === "tool_use");
    const results = await Promise.all(
      calls.map(async (call) => {
        const [content, is_error] = await executeTool(call.name, call.input).then(
          (output) => [JSON.stringify(output), false] as const,
          (error: unknown) => [`Error: ${String(error)}`, true] as const,
        );
        return { type: "tool_result" as const, tool_use_id: call.id, content, is_error };
      }),
    );
    messages = messages.concat(said, results.length > 0 ? [{ role: "user", content: results }] : []);
    reply = await callModel({ messages: [...messages], tools });
  }
  const text = reply.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const ended = ["end_turn", "stop_sequence"].includes(String(reply.stop_reason));
  return ended ? text : { text, stopReason: reply.stop_reason, turns };
}
