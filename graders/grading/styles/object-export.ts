/** An object with a method, exported as the default. */
import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

const agent = {
  limit: 25,
  async runAgent(userInput: string, tools: Tool[]): Promise<string> {
    const messages: MessageParam[] = [{ role: "user", content: userInput }];
    let reply = await callModel({ messages, tools });
    for (let turn = 0; reply.stop_reason === "tool_use" && turn < this.limit; turn++) {
      const results: ToolResultBlockParam[] = [];
      for (const block of reply.content) if (block.type === "tool_use") results.push(await this.run(block));
      messages.push({ role: "assistant", content: reply.content }, { role: "user", content: results });
      reply = await callModel({ messages, tools });
    }
    return reply.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  },
  async run({ id, name, input }: { id: string; name: string; input: unknown }): Promise<ToolResultBlockParam> {
    return { type: "tool_result", tool_use_id: id, content: JSON.stringify(await executeTool(name, input)) };
  },
};

export default agent;
