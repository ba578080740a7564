/** For tests: loops that would never end. */

const OPEN = `import { callModel, executeTool, type MessageParam, type Tool, type ToolResultBlockParam } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  const messages: MessageParam[] = [{ role: "user", content: userInput }];
  let response = await callModel({ messages, tools });
  for (let turn = 1; response.stop_reason === "tool_use"; turn += 1) {
`;
const CLOSE = `
    const results: ToolResultBlockParam[] = [];
    for (const call of response.content) {
      if (call.type !== "tool_use") continue;
      results.push({ type: "tool_result", tool_use_id: call.id, content: String(await executeTool(call.name, call.input)) });
    }
    messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    response = await callModel({ messages, tools });
  }
  return response;
}
`;

/** An honest loop that does this once its given turn comes: only a conversation that long ever gets there. */
export function onTurn(turn: number, statement: string): string {
  return `${OPEN}    if (turn === ${turn}) ${statement}${CLOSE}`;
}

/** Promises alone, for ever: no timer and no answer is ever let in. */
export const AWAITS_FOR_EVER = "export async function runAgent() {\n  while (true) await null;\n}\n";

/** No error ends it: not the model's refusals, not the tools', not a limit that throws. */
export const CATCHES_EVERYTHING = `import { callModel, executeTool, type Tool } from "#harness";

export async function runAgent(userInput: string, tools: Tool[]) {
  while (true) {
    try {
      const response = await callModel({ messages: [{ role: "user", content: userInput }], tools });
      for (const call of response.content) if (call.type === "tool_use") await executeTool(call.name, call.input);
    } catch {}
  }
}
`;
