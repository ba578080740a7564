import { noCall, script, truncated, twoAtOnce, twoTurns } from "../testing/scripts.ts";
import forcedToolChoice from "./forced-tool-choice.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const choosing = (choice: (turn: number) => object | undefined, more: readonly object[] = []) =>
  loop({
    request: ({ messages, tools }, turn) => ({
      messages,
      tools: [...(tools as object[]), ...more],
      tool_choice: choice(turn),
    }),
  });
const done = { name: "final_answer", description: "Ends.", input_schema: { type: "object", properties: {} } };

lists(forcedToolChoice, {
  has: [
    {
      name: "any tool, in every request",
      agent: choosing(() => ({ type: "any" })),
      ends: "returned",
      says: ['{"type":"any"}'],
      found: ["forced-tool-choice"],
    },
    {
      name: "one tool, in every request but the first",
      agent: choosing((turn) => (turn > 0 ? { type: "tool", name: "read_logs" } : undefined)),
      script: script(twoAtOnce),
      says: ['"name":"read_logs"'],
    },
    {
      name: "in sight",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const tool_choice = { type: "any" };
        const messages: unknown[] = [{ role: "user", content: userInput }];
        let response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          messages.push({ role: "assistant", content: response.content });
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const content = JSON.stringify(await executeTool(block.name, block.input));
            messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: block.id, content }] });
          }
          response = await callModel({ messages, tools, tool_choice });
        }
        return response;
      },
      line: 2,
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    {
      name: "the first request alone is forced",
      agent: choosing((turn) => (turn === 0 ? { type: "any" } : undefined)),
      headline: null,
    },
    {
      name: "the first request is forced, and the script answers at once",
      agent: choosing(() => ({ type: "any" })),
      script: script(noCall),
      headline: null,
    },
    {
      name: "every request but the one that ended it",
      agent: choosing((turn) => (turn < 2 ? { type: "any" } : { type: "auto" })),
      headline: null,
    },
    { name: "no tool", agent: choosing((turn) => (turn < 2 ? undefined : { type: "none" })), headline: null },
    { name: "a tool of its own to end with", agent: choosing(() => ({ type: "any" }), [done]), headline: null },
    {
      name: "a reply that was cut short",
      agent: choosing(() => ({ type: "any" })),
      script: script([...twoTurns.slice(0, 1), ...truncated]),
    },
  ],
});
