import Anthropic from "@anthropic-ai/sdk";
import { runTool } from "./tools/plain.ts";

const client = new Anthropic();

const TOOLS: Anthropic.Tool[] = [
  {
    name: "get_weather",
    description: "The weather in a city.",
    input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
  {
    name: "convert_temperature",
    description: "Celsius to Fahrenheit.",
    input_schema: { type: "object", properties: { celsius: { type: "integer" } }, required: ["celsius"] },
  },
];

const MOST_CALLS = 12;

/** A loop by hand over the project's own SDK and tools, with an end for every way a reply can end. */
export async function runAgent(userInput: string) {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: userInput }];
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const reply = await client.messages.create({
      model: "claude-sonnet-5-5",
      max_tokens: 2000,
      messages,
      tools: TOOLS,
    });
    if (reply.stop_reason === "pause_turn") {
      messages.push({ role: "assistant", content: reply.content });
      continue;
    }
    if (reply.stop_reason !== "tool_use") return reply;
    messages.push({ role: "assistant", content: reply.content });
    const asked = reply.content.filter((block) => block.type === "tool_use");
    messages.push({ role: "user", content: await Promise.all(asked.map(answer)) });
  }
  throw new Error(`Stopped after ${MOST_CALLS} calls of the model`);
}

async function answer({ id, name, input }: Anthropic.ToolUseBlock): Promise<Anthropic.ToolResultBlockParam> {
  try {
    return { type: "tool_result", tool_use_id: id, content: JSON.stringify(await runTool(name, input)) };
  } catch (error) {
    return { type: "tool_result", tool_use_id: id, content: String(error), is_error: true };
  }
}
