/** The SDK's tool runner over streams. */
import { client, executeTool, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  const runner = client.beta.messages.toolRunner({
    model: "claude-sonnet-5-5",
    max_tokens: 1024,
    max_iterations: 10,
    stream: true,
    messages: [{ role: "user", content: userInput }],
    tools: tools.map((tool) => ({
      ...tool,
      parse: (input: unknown) => input,
      run: async (input: unknown) => JSON.stringify(await executeTool(tool.name, input)),
    })),
  });
  let said: string[] = [];
  for await (const stream of runner) {
    said = [];
    for await (const event of stream) {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") said.push(event.delta.text);
    }
  }
  const { stop_reason } = await runner.done();
  if (stop_reason === "end_turn" || stop_reason === "stop_sequence") return said.join("");
  return { stop_reason, said };
}
