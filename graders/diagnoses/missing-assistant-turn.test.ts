import { failingTool, script, twoTurns } from "../testing/scripts.ts";
import missingAssistantTurn from "./missing-assistant-turn.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(missingAssistantTurn, {
  has: [
    {
      name: "results follow the question",
      agent: loop({ assistant: () => [] }),
      ends: "threw",
      says: ["`read_logs`", "unexpected `tool_use_id`"],
    },
    {
      name: "from the second turn on",
      agent: loop({ assistant: ({ content }, turn) => (turn === 1 ? [{ role: "assistant", content }] : []) }),
      says: ["`restart_service`"],
    },
    {
      name: "results as text, for ever",
      agent: loop({
        assistant: () => [],
        user: (results) => [{ role: "user", content: results.map(({ content }) => `Result: ${content}`).join("\n") }],
      }),
      ends: "missing-assistant-turn",
      says: ["60 veces"],
    },
    {
      name: "an error of the tool as text, for ever",
      agent: loop({
        assistant: () => [],
        result: ({ name, input }, execute) =>
          execute(name, input).catch((error: Error) => ({ type: "text", text: error.message })),
        user: (results) => [{ role: "user", content: results }],
      }),
      script: script(failingTool),
      ends: "missing-assistant-turn",
      says: ["está lo que hizo la herramienta"],
    },
    {
      name: "from the second turn on nothing is kept, and the words change, for ever",
      agent: loop({
        assistant: ({ content }, turn) => (turn === 1 ? [{ role: "assistant", content }] : []),
        user: (results, _, turn) => [{ role: "user", content: turn === 1 ? results : `Go on (${turn})` }],
      }),
      ends: "missing-assistant-turn",
      says: ["ni lo que hizo la herramienta", "nor what the tool did", "`restart_service`"],
      never: ["Enviaste el resultado", "You sent the result"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    {
      name: "text alone was kept",
      agent: loop({ assistant: () => [{ role: "assistant", content: "I asked for a tool." }] }),
      headline: "text-only-history",
    },
    {
      name: "one list of results for all turns",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        const results: unknown[] = [];
        let response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          messages.push({ role: "assistant", content: response.content });
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const content = JSON.stringify(await executeTool(block.name, block.input));
            results.push({ type: "tool_result", tool_use_id: block.id, content });
          }
          messages.push({ role: "user", content: results });
          response = await callModel({ messages, tools });
        }
        return response;
      },
      headline: "duplicate-tool-result",
    },
    {
      name: "the turn stands after its result",
      agent: loop({
        assistant: () => [],
        user: (results, { content }) => [
          { role: "user", content: results },
          { role: "assistant", content },
        ],
      }),
      headline: "turns-out-of-order",
    },
    {
      name: "each request begins anew, in other words",
      agent: async ({ callModel, tools, userInput }) => {
        for (let i = 0; ; i++) await callModel({ messages: [{ role: "user", content: `${userInput} ${i}` }], tools });
      },
      ends: "restarted-conversation",
      headline: "restarted-conversation",
    },
    {
      name: "nothing is ever pushed",
      agent: loop({ assistant: () => [], user: () => [] }),
      headline: "restarted-conversation",
    },
  ],
});
