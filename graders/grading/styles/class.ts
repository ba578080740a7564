/** A class that holds the conversation; the only thing the file exports. */
import {
  AgentStopped,
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolUseBlock,
} from "#harness";

export class Agent {
  #messages: MessageParam[] = [];
  #tools: Tool[] = [];
  readonly maxTurns: number = 10;

  async runAgent(userInput: string, tools: Tool[]): Promise<string> {
    this.#messages = [{ role: "user", content: userInput }];
    this.#tools = tools;
    for (let turn = 0; turn < this.maxTurns; turn++) {
      const reply = await this.#ask();
      if (reply.stop_reason === "tool_use") await this.#handleCalls(reply);
      else if (reply.stop_reason !== "pause_turn") return this.#finish(reply);
    }
    throw new AgentStopped("max turns", this.#messages);
  }

  async #ask(): Promise<Message> {
    const reply = await callModel({ messages: this.#messages, tools: this.#tools });
    if (reply.content.length > 0) this.#messages.push({ role: "assistant", content: reply.content });
    return reply;
  }

  async #handleCalls(reply: Message): Promise<void> {
    const calls = reply.content.filter((block) => block.type === "tool_use");
    const content = await Promise.all(calls.map((call) => this.#handle(call)));
    this.#messages.push({ role: "user", content });
  }

  async #handle(call: ToolUseBlock) {
    const answer = (content: string, failed = false) => {
      return { type: "tool_result" as const, tool_use_id: call.id, content, ...(failed ? { is_error: true } : {}) };
    };
    if (!this.#approves(call)) return answer("Refused: migrations run from 02:00 to 04:59 only.", true);
    try {
      return answer(JSON.stringify(await executeTool(call.name, call.input)));
    } catch (error) {
      return answer(`${call.name}: ${(error as Error).message}`, true);
    }
  }

  #approves({ name, input }: ToolUseBlock): boolean {
    if (name !== "run_migration") return true;
    const { start = "" } = input as { start?: string };
    return start >= "02:00" && start <= "04:59";
  }

  #finish(reply: Message): string {
    const text = reply.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    if (reply.stop_reason === "end_turn" || reply.stop_reason === "stop_sequence") return text;
    throw new AgentStopped(`the model stopped: ${reply.stop_reason}`, this.#messages);
  }
}
