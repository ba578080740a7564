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
  let response = await callModel({ messages, tools });
  while (response.stop_reason === "tool_use") {
    const results: ToolResultBlockParam[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const output = JSON.stringify(await executeTool(block.name, block.input));
      let digest = 0;
      for (let lap = 0; lap < 20_000; lap++) {
        await null;
        for (const letter of output) digest = (digest * 31 + letter.charCodeAt(0)) % 65_521;
      }
      console.log(block.name, digest);
      results.push({ type: "tool_result", tool_use_id: block.id, content: output });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await callModel({ messages, tools });
  }
  return response;
}
