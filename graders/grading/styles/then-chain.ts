/** No async and no await: promises all the way. */
import {
  callModel,
  executeTool,
  type MessageParam,
  type Tool,
  type ToolResultBlockParam,
  type ToolUseBlock,
} from "#harness";

export function runAgent(userInput: string, tools: Tool[]): Promise<string> {
  return ask([{ role: "user", content: userInput }], tools);
}

function ask(messages: MessageParam[], tools: Tool[]): Promise<string> {
  return callModel({ messages, tools }).then((reply) => {
    if (reply.stop_reason !== "tool_use") {
      return reply.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    }
    return Promise.all(reply.content.filter((block) => block.type === "tool_use").map(resultOf)).then((content) =>
      ask(messages.concat({ role: "assistant", content: reply.content }, { role: "user", content }), tools),
    );
  });
}

function resultOf({ id, name, input }: ToolUseBlock): Promise<ToolResultBlockParam> {
  return executeTool(name, input)
    .then((output): ToolResultBlockParam => ({ type: "tool_result", tool_use_id: id, content: JSON.stringify(output) }))
    .catch((error) => ({ type: "tool_result", tool_use_id: id, content: `${error}`, is_error: true }));
}
