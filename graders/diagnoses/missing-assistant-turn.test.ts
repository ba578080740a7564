import missingAssistantTurn from "./missing-assistant-turn.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { script, twoTurns } from "./testing/scripts.ts";

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
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    {
      name: "text alone was kept",
      agent: loop({ assistant: () => [{ role: "assistant", content: "I asked for a tool." }] }),
      headline: "text-only-history",
    },
    {
      name: "nothing is ever pushed",
      agent: loop({ assistant: () => [], user: () => [] }),
      headline: "restarted-conversation",
    },
  ],
});
