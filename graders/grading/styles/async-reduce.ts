/** The turns are a fold, and so are the calls of one turn: no loop statement at all. */
import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
} from "#harness";

interface State {
  messages: MessageParam[];
  reply: Message | null;
}

const goesOn = ({ reply }: State) =>
  reply === null || reply.stop_reason === "tool_use" || reply.stop_reason === "pause_turn";

export async function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  const start: State = { messages: [{ role: "user", content: userInput }], reply: null };
  const { reply } = await Array.from({ length: 10 }).reduce<Promise<State>>(async (before) => {
    const state = await before;
    return goesOn(state) ? next(state, tools) : state;
  }, Promise.resolve(start));
  if (reply === null || goesOn({ messages: [], reply })) throw new Error("ten turns were not enough");
  if (reply.stop_reason !== "end_turn" && reply.stop_reason !== "stop_sequence")
    throw new Error(`${reply.stop_reason}`);
  return reply.content.reduce((text, block) => (block.type === "text" ? text + block.text : text), "");
}

async function next({ messages }: State, tools: Tool[]): Promise<State> {
  const reply = await callModel({ messages, tools });
  const results = await reply.content.reduce<Promise<ToolResultBlockParam[]>>(async (before, block) => {
    const done = await before;
    if (block.type !== "tool_use" || reply.stop_reason !== "tool_use") return done;
    const result = await executeTool(block.name, block.input).then(
      (output) => ({ content: JSON.stringify(output) }),
      (error: Error) => ({ content: error.message, is_error: true }),
    );
    return [...done, { type: "tool_result", tool_use_id: block.id, ...result }];
  }, Promise.resolve([]));
  const said: MessageParam = { role: "assistant", content: reply.content };
  const told: MessageParam[] = results.length > 0 ? [{ role: "user", content: results }] : [];
  return { messages: [...messages, said, ...told], reply };
}
