/** Honest production loops, each in a style of its own: every behaviour holds in them. */
import type { StreamEvent } from "../../model/stream.ts";
import type { Agent, Hands } from "../../testing/play.ts";
import type { ApiMessage, ReplyBlock, ToolUseBlock } from "../../trace/api.ts";

type Loose = Record<string, unknown>;

const MOST = 20;

export function textOf({ content }: Pick<ApiMessage, "content">): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

export function callsOf({ content }: Pick<ApiMessage, "content">): ToolUseBlock[] {
  return content.filter((block) => block.type === "tool_use");
}

/** The results of every call of a turn, errors flagged. */
export async function resultsOf({ executeTool }: Pick<Hands, "executeTool">, reply: Pick<ApiMessage, "content">) {
  return Promise.all(
    callsOf(reply).map(async ({ id, name, input }): Promise<Loose> => {
      try {
        return { type: "tool_result", tool_use_id: id, content: JSON.stringify(await executeTool(name, input)) };
      } catch (error) {
        return { type: "tool_result", tool_use_id: id, content: (error as Error).message, is_error: true };
      }
    }),
  );
}

/** It asks for more room, sends paused turns back, and hands over the Message; at the cap, one that says why. */
export const full: Agent = async (hands) => {
  const { callModel, tools, userInput } = hands;
  const messages: unknown[] = [{ role: "user", content: userInput }];
  let max_tokens = 1024;
  let last: ApiMessage | null = null;
  for (let left = MOST; left > 0; left--) {
    const reply: ApiMessage = await callModel({ messages, tools, max_tokens });
    last = reply;
    if (reply.stop_reason === "tool_use") {
      messages.push({ role: "assistant", content: reply.content });
      messages.push({ role: "user", content: await resultsOf(hands, reply) });
    } else if (reply.stop_reason === "pause_turn") {
      messages.push({ role: "assistant", content: reply.content });
    } else if (reply.stop_reason === "max_tokens" && max_tokens < 8000) {
      max_tokens *= 2;
    } else return reply;
  }
  return { stopped: "too many turns", last };
};

/** It throws at the cap and at whatever is no proper end, and returns the text. */
export const strict: Agent = async (hands) => {
  const { callModel, tools, userInput } = hands;
  const messages: unknown[] = [{ role: "user", content: userInput }];
  for (let left = 12; left > 0; left--) {
    const reply = await callModel({ messages, tools });
    if (reply.stop_reason === "end_turn") return textOf(reply);
    if (reply.stop_reason !== "tool_use") throw new Error(`The model stopped: ${reply.stop_reason}`);
    messages.push({ role: "assistant", content: reply.content });
    messages.push({ role: "user", content: await resultsOf(hands, reply) });
  }
  throw new Error("Gave up after 12 turns");
};

/** What a streamed reply adds up to; it is not whole without its last event. */
export async function gather(events: AsyncGenerator<StreamEvent>): Promise<ApiMessage> {
  let message = {} as ApiMessage;
  const json: string[] = [];
  let whole = false;
  for await (const { type, index, content_block, delta, message: start } of events) {
    const at = index as number;
    if (type === "message_start") message = { ...(start as ApiMessage), content: [] };
    if (type === "content_block_start") message.content[at] = content_block as ReplyBlock;
    if (type === "content_block_delta") {
      const block = message.content[at] as unknown as Loose;
      for (const [key, piece] of Object.entries(delta as Loose)) {
        if (key === "partial_json") json[at] = (json[at] ?? "") + piece;
        else if (key !== "type") block[key] = String(block[key] ?? "") + piece;
      }
    }
    if (type === "content_block_stop" && json[at]) (message.content[at] as ToolUseBlock).input = JSON.parse(json[at]);
    if (type === "message_delta") Object.assign(message, delta);
    if (type === "message_stop") whole = true;
  }
  if (!whole) throw Object.assign(new Error("The stream ended too soon"), { begun: message });
  return message;
}

/** It streams, begins a broken stream anew once or twice, and says in its text why there is no more. */
export const streaming: Agent = async (hands) => {
  const { tools, userInput } = hands;
  const messages: unknown[] = [{ role: "user", content: userInput }];
  const ask = async (left = 2): Promise<ApiMessage> => {
    try {
      return await gather(hands.stream({ messages, tools }));
    } catch (error) {
      if (left === 0 || !(error as Loose).begun) throw error;
      return ask(left - 1);
    }
  };
  let said = "";
  for (let left = 15; left > 0; left--) {
    const reply = await ask();
    if (reply.stop_reason === "tool_use") {
      messages.push({ role: "assistant", content: reply.content });
      messages.push({ role: "user", content: await resultsOf(hands, reply) });
    } else if (reply.stop_reason === "pause_turn") {
      messages.push({ role: "assistant", content: reply.content });
    } else if (reply.stop_reason === "end_turn" || reply.stop_reason === "stop_sequence") {
      return said + textOf(reply);
    } else if (reply.stop_reason === "max_tokens" && callsOf(reply).length === 0) {
      said += textOf(reply);
      messages.push({ role: "assistant", content: reply.content }, { role: "user", content: "Please continue." });
    } else return `${said}${textOf(reply)} [incomplete: ${reply.stop_reason}]`;
  }
  return `${said} [stopped: too many turns]`;
};

/** At its cap it asks for a last word without tools; it returns an object with the reason. */
export const softCap: Agent = async (hands) => {
  const { callModel, tools, userInput } = hands;
  const messages: Loose[] = [{ role: "user", content: userInput }];
  let reply = await callModel({ messages, tools });
  let paused = 0;
  for (let turn = 1; reply.stop_reason === "tool_use" || reply.stop_reason === "pause_turn"; turn++) {
    messages.push({ role: "assistant", content: reply.content });
    if (reply.stop_reason === "tool_use") messages.push({ role: "user", content: await resultsOf(hands, reply) });
    else if (++paused > 5) break;
    reply = await callModel(turn < 10 ? { messages, tools } : { messages, system: "Answer with what you have." });
  }
  return { text: textOf(reply), stopReason: reply.stop_reason, usage: reply.usage };
};

/** It never throws: a status says how it went. */
export const status: Agent = async (hands) => {
  const { callModel, tools, userInput } = hands;
  const history: unknown[] = [{ role: "user", content: userInput }];
  try {
    for (let step = 0; step < 10; step++) {
      const reply = await callModel({ messages: [...history], tools, max_tokens: 4096 });
      history.push({ role: "assistant", content: reply.content });
      switch (reply.stop_reason) {
        case "tool_use":
          history.push({ role: "user", content: await resultsOf(hands, reply) });
          continue;
        case "pause_turn":
          continue;
        case "end_turn":
        case "stop_sequence":
          return { status: "done", answer: textOf(reply) };
        case "refusal":
          return { status: "refused", answer: null };
        default:
          return { status: "incomplete", reason: reply.stop_reason, answer: textOf(reply) };
      }
    }
    return { status: "step_limit", answer: null };
  } catch (error) {
    return { status: "error", error: { name: (error as Error).name, message: (error as Error).message } };
  }
};

/** A generator of events, as a chat's server hands them on. */
export const events: Agent = async function* (hands: Hands) {
  const { callModel, tools, userInput } = hands;
  const messages: unknown[] = [{ role: "user", content: userInput }];
  for (let left = 12; left > 0; left--) {
    const reply = await callModel({ messages, tools });
    messages.push({ role: "assistant", content: reply.content });
    const text = textOf(reply);
    for (let at = 0; at < text.length; at += 5) yield { type: "text", delta: text.slice(at, at + 5) };
    if (reply.stop_reason === "tool_use") {
      messages.push({ role: "user", content: await resultsOf(hands, reply) });
    } else if (reply.stop_reason !== "pause_turn") {
      yield { type: "finish", finishReason: reply.stop_reason };
      return;
    }
  }
  yield { type: "error", message: "turn limit" };
};

/** A program: it prints all, the reason included, and returns nothing. */
export const printing: Agent = async (hands) => {
  const { callModel, tools, userInput, print } = hands;
  const messages: unknown[] = [{ role: "user", content: userInput }];
  for (let left = 12; left > 0; left--) {
    const reply = await callModel({ messages, tools });
    messages.push({ role: "assistant", content: reply.content });
    if (textOf(reply) !== "") print(textOf(reply));
    if (reply.stop_reason === "tool_use") messages.push({ role: "user", content: await resultsOf(hands, reply) });
    else if (reply.stop_reason === "pause_turn") continue;
    else if (reply.stop_reason === "end_turn") return;
    else return void print(`(stopped: ${reply.stop_reason})`);
  }
  print("(turn limit reached)");
};

/** What a library returns: steps, and a finish reason in words of its own. It knows every stop reason. */
export const library: Agent = async (hands) => {
  const { callModel, tools, userInput } = hands;
  const messages: unknown[] = [{ role: "user", content: userInput }];
  const steps: unknown[] = [];
  for (let left = 16; ; left--) {
    const reply = await callModel({ messages, tools });
    const finishReason = FINISH[reply.stop_reason] ?? "other";
    steps.push({ content: reply.content, finishReason, usage: reply.usage });
    const goesOn = reply.stop_reason === "tool_use" || reply.stop_reason === "pause_turn";
    if (!goesOn || left === 1) return { text: textOf(reply), steps, finishReason };
    messages.push({ role: "assistant", content: reply.content });
    if (reply.stop_reason === "tool_use") messages.push({ role: "user", content: await resultsOf(hands, reply) });
  }
};

const FINISH: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool-calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content-filter",
};

export const honest: Readonly<Record<string, Agent>> = {
  full,
  strict,
  streaming,
  softCap,
  status,
  events,
  printing,
  library,
};
