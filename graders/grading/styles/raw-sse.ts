/** No SDK: server-sent events read by hand from the body of a fetch. */
import { executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

// biome-ignore lint/suspicious/noExplicitAny: events and blocks as they come over the wire
type Wire = any;

export async function runAgent(userInput: string, tools: Tool[]) {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (let turn = 0; turn < 10; turn++) {
    const { content, stop_reason } = await request({ messages, tools });
    if (stop_reason === "tool_use") {
      messages.push({ role: "assistant", content }, { role: "user", content: await results(content) });
    } else if (stop_reason === "pause_turn") {
      messages.push({ role: "assistant", content });
    } else {
      const text = content.map((block: Wire) => (block.type === "text" ? block.text : "")).join("");
      return stop_reason === "end_turn" || stop_reason === "stop_sequence" ? text : { stop_reason, text };
    }
  }
  return { stop_reason: "cap" };
}

async function request(body: object): Promise<Wire> {
  let problem = "";
  for (let attempt = 0; attempt < 4; attempt++) {
    const response = await fetch("https://api.anthropic.com/v1/messages", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "anthropic-version": "2026-10-21",
        authorization: `Bearer ${process.env.ANTHROPIC_API_KEY}`,
      },
      body: JSON.stringify({ model: "claude-sonnet-5-5", max_tokens: 1000, stream: true, ...body }),
    });
    if (response.ok && response.body !== null) {
      const message = await assemble(response.body);
      if (message !== null) return message;
      problem = "the stream broke";
    } else {
      problem = `HTTP ${response.status} ${await response.text()}`;
      if (response.status !== 429 && response.status < 500) break;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * (attempt + 1)));
  }
  throw new Error(problem);
}

/** Null when the stream ends before its message, or tells an error. */
async function assemble(body: ReadableStream<Uint8Array>): Promise<Wire> {
  const message: Wire = { content: [], stop_reason: null };
  const json: string[] = [];
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let buffer = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return null;
    buffer += decoder.decode(value, { stream: true });
    const frames = buffer.split("\n\n");
    buffer = frames.pop() ?? "";
    for (const frame of frames) {
      const data = frame.split("\n").find((line) => line.startsWith("data:"));
      if (data === undefined) continue;
      const event: Wire = JSON.parse(data.slice("data:".length));
      if (event.type === "error") return null;
      if (event.type === "message_stop") return message;
      if (event.type === "message_delta") message.stop_reason = event.delta.stop_reason;
      if (event.type === "content_block_start") {
        message.content[event.index] = event.content_block;
        json[event.index] = "";
      }
      if (event.type === "content_block_delta") apply(message.content[event.index], event.delta);
      if (event.delta?.type === "input_json_delta") json[event.index] += event.delta.partial_json;
      if (event.type === "content_block_stop" && json[event.index]) {
        message.content[event.index].input = JSON.parse(json[event.index]!);
      }
    }
  }
}

function apply(block: Wire, delta: Wire): void {
  if (delta.type === "text_delta") block.text += delta.text;
  if (delta.type === "thinking_delta") block.thinking += delta.thinking;
  if (delta.type === "signature_delta") block.signature = delta.signature;
}

function results(content: Wire[]): Promise<ToolResultBlockParam[]> {
  const calls = content.filter((block) => block.type === "tool_use");
  return Promise.all(
    calls.map(async ({ id, name, input }) => {
      try {
        const output = await executeTool(name, input);
        return { type: "tool_result" as const, tool_use_id: id, content: JSON.stringify(output) };
      } catch (error) {
        return { type: "tool_result" as const, tool_use_id: id, is_error: true, content: (error as Error).message };
      }
    }),
  );
}
