/** `create` with `stream: true`: the message is put together by hand from its events. */
import { client, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

interface Assembled {
  // biome-ignore lint/suspicious/noExplicitAny: blocks as they come over the wire
  content: any[];
  stopReason: string | null;
}

export async function runAgent(userInput: string, tools: Tool[]) {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  for (let turn = 0; turn < 10; turn++) {
    const { content, stopReason } = await ask(messages, tools);
    if (stopReason === "tool_use") {
      messages.push({ role: "assistant", content }, { role: "user", content: await runAll(content) });
    } else if (stopReason === "pause_turn") {
      messages.push({ role: "assistant", content });
    } else {
      const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      return stopReason === "end_turn" || stopReason === "stop_sequence" ? text : { stopReason, text };
    }
  }
  return { stopReason: "cap", text: null };
}

async function ask(messages: MessageParam[], tools: Tool[]): Promise<Assembled> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    try {
      const assembled = await assemble(messages, tools);
      if (assembled !== null) return assembled;
    } catch (error) {
      if ((error as { status?: number }).status !== undefined) throw error;
    }
  }
  throw new Error("the stream broke three times");
}

/** Null when the stream ended before the message did. */
async function assemble(messages: MessageParam[], tools: Tool[]): Promise<Assembled | null> {
  const events = await client.messages.create({
    model: "claude-sonnet-5-5",
    max_tokens: 2048,
    messages,
    tools,
    stream: true,
  });
  const assembled: Assembled = { content: [], stopReason: null };
  const json: string[] = [];
  let whole = false;
  for await (const event of events) {
    if (event.type === "content_block_start") {
      assembled.content[event.index] = { ...event.content_block };
      json[event.index] = "";
    } else if (event.type === "content_block_delta") {
      const block = assembled.content[event.index];
      const { delta } = event;
      if (delta.type === "text_delta") block.text += delta.text;
      if (delta.type === "thinking_delta") block.thinking += delta.thinking;
      if (delta.type === "signature_delta") block.signature += delta.signature;
      if (delta.type === "input_json_delta") json[event.index] += delta.partial_json;
    } else if (event.type === "content_block_stop") {
      const block = assembled.content[event.index];
      if (/tool_use$/.test(block.type)) block.input = JSON.parse(json[event.index] || "{}");
    } else if (event.type === "message_delta") {
      assembled.stopReason = event.delta.stop_reason;
    } else if (event.type === "message_stop") {
      whole = true;
    }
  }
  return whole ? assembled : null;
}

async function runAll(content: Assembled["content"]): Promise<ToolResultBlockParam[]> {
  const results: ToolResultBlockParam[] = [];
  for (const { type, id, name, input } of content) {
    if (type !== "tool_use") continue;
    try {
      results.push({ type: "tool_result", tool_use_id: id, content: JSON.stringify(await executeTool(name, input)) });
    } catch (error) {
      results.push({ type: "tool_result", tool_use_id: id, content: String(error), is_error: true });
    }
  }
  return results;
}
