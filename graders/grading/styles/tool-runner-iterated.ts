/** The SDK's tool runner, its messages taken one by one. */
import { client, executeTool, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  const runner = client.beta.messages.toolRunner({
    model: "claude-sonnet-5-5",
    max_tokens: 1024,
    max_iterations: 10,
    messages: [{ role: "user", content: userInput }],
    tools: tools.map((tool) => ({
      ...tool,
      parse: (input: unknown) => input,
      run: async (input: unknown) => JSON.stringify(await executeTool(tool.name, input)),
    })),
  });
  let text = "";
  let ended: string | null = null;
  for await (const message of runner) {
    text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    ended = message.stop_reason;
  }
  return ended === "end_turn" || ended === "stop_sequence" ? text : { text, ended };
}
