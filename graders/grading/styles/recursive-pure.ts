/** A function that calls itself with a new list each time, and counts down. */
import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

interface Ending {
  answer: string | null;
  why: string;
}

export const runAgent = (userInput: string, tools: Tool[]): Promise<Ending> =>
  step([{ role: "user", content: userInput }], tools, 10);

async function step(messages: readonly MessageParam[], tools: Tool[], left: number): Promise<Ending> {
  if (left === 0) return { answer: null, why: "too many turns" };
  const reply = await callModel({ messages: [...messages], tools });
  const said = { role: "assistant" as const, content: reply.content };
  switch (reply.stop_reason) {
    case "tool_use":
      return step([...messages, said, { role: "user", content: await resultsFor(reply) }], tools, left - 1);
    case "pause_turn":
      return step([...messages, said], tools, left - 1);
    case "max_tokens":
    case "refusal":
    case "model_context_window_exceeded":
      return { answer: null, why: reply.stop_reason };
    default:
      return { answer: textOf(reply), why: String(reply.stop_reason) };
  }
}

function resultsFor({ content }: Message): Promise<ToolResultBlockParam[]> {
  return Promise.all(
    content
      .filter((block) => block.type === "tool_use")
      .map(async ({ id, name, input }) => ({
        type: "tool_result" as const,
        tool_use_id: id,
        ...(await run(name, input)),
      })),
  );
}

async function run(name: string, input: unknown): Promise<{ content: string; is_error?: true }> {
  try {
    return { content: JSON.stringify(await executeTool(name, input)) };
  } catch (error) {
    return { content: `${name} failed: ${(error as Error).message}`, is_error: true };
  }
}

const textOf = ({ content }: Message): string =>
  content.reduce((text, block) => (block.type === "text" ? text + block.text : text), "");
