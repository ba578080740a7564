/** Honest loops that know every way in which the model may stop. */
import type { Hands } from "../../testing/play.ts";
import type { ApiMessage } from "../../trace/api.ts";
import type { Case } from "./check.ts";

type Loose = Record<string, unknown>;

async function runAll({ executeTool }: Hands, { content }: ApiMessage): Promise<Loose[]> {
  const results: Loose[] = [];
  for (const block of content) {
    if (block.type !== "tool_use") continue;
    const result = await executeTool(block.name, block.input).then(
      (value) => ({ content: JSON.stringify(value) }),
      (error: Error) => ({ content: error.message, is_error: true }),
    );
    results.push({ type: "tool_result", tool_use_id: block.id, ...result });
  }
  return results;
}

function textOf({ content }: ApiMessage): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** It asks for more room, sends paused turns back as they are, and hands over the Message of any other end. */
export async function attentive(hands: Hands): Promise<ApiMessage> {
  const { callModel, tools, userInput } = hands;
  const messages: unknown[] = [{ role: "user", content: userInput }];
  let max_tokens = 1024;
  for (let left = 20; left > 0; left--) {
    const response = await callModel({ messages, tools, max_tokens });
    switch (response.stop_reason) {
      case "tool_use":
        messages.push({ role: "assistant", content: response.content });
        messages.push({ role: "user", content: await runAll(hands, response) });
        break;
      case "pause_turn":
        messages.push({ role: "assistant", content: response.content });
        break;
      case "max_tokens":
        max_tokens *= 2;
        break;
      default:
        return response;
    }
  }
  throw Object.assign(new Error("too many turns"), { name: "AgentStopped" });
}

/** It throws at everything but a proper end, and returns the text. */
export async function strict(hands: Hands): Promise<string> {
  const { callModel, tools, userInput } = hands;
  const messages: unknown[] = [{ role: "user", content: userInput }];
  for (;;) {
    const response = await callModel({ messages, tools });
    if (response.stop_reason === "end_turn") return textOf(response);
    if (response.stop_reason !== "tool_use") {
      throw Object.assign(new Error(`stopped by ${response.stop_reason}`), { name: "AgentStopped" });
    }
    messages.push({ role: "assistant", content: response.content });
    messages.push({ role: "user", content: await runAll(hands, response) });
  }
}

/** It lets a cut text go on by a turn of the user, and says in its own words why it gives up. */
export async function telling(hands: Hands): Promise<string> {
  const { callModel, tools, userInput } = hands;
  const messages: unknown[] = [{ role: "user", content: userInput }];
  let said = "";
  for (;;) {
    const response = await callModel({ messages, tools });
    const cutInText = response.stop_reason === "max_tokens" && response.content.at(-1)?.type === "text";
    if (cutInText) {
      said += textOf(response);
      messages.push({ role: "assistant", content: response.content }, { role: "user", content: "Go on." });
    } else if (response.stop_reason === "tool_use") {
      messages.push({ role: "assistant", content: response.content });
      messages.push({ role: "user", content: await runAll(hands, response) });
    } else if (response.stop_reason === "pause_turn") {
      messages.push({ role: "assistant", content: response.content });
    } else if (response.stop_reason === "end_turn") {
      return said + textOf(response);
    } else {
      return `${said}${textOf(response)}\n[the reply is incomplete: ${response.stop_reason}]`;
    }
  }
}

/** The three against one conversation. */
export function attentively(script?: unknown): Case[] {
  return [attentive, strict, telling].map((agent) => ({
    name: `${agent.name}, an honest loop that knows how a model may stop`,
    agent,
    script,
    headline: null,
  }));
}
