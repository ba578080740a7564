import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

export async function runAgent(userInput: string, tools: Tool[]): Promise<Message> {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let before = "";
  for (;;) {
    const response = await callModel({ messages, tools }); // here
    if (response.stop_reason !== "tool_use") return response;
    const calls = response.content.filter((block) => block.type === "tool_use");
    const now = JSON.stringify(calls.map(({ name, input }) => [name, input]));
    if (now === before) throw new Error("the model is stuck");
    before = now;
    const results: ToolResultBlockParam[] = [];
    for (const call of calls) {
      const output = await executeTool(call.name, call.input);
      results.push({ type: "tool_result", tool_use_id: call.id, content: JSON.stringify(output) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
  }
}
