import { script, twoTurns } from "../testing/scripts.ts";
import orphanedToolResult from "./orphaned-tool-result.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(orphanedToolResult, {
  has: [
    {
      name: "the last messages alone cut a pair in two",
      agent: loop({ request: ({ messages, tools }) => ({ messages: messages.slice(-3), tools }) }),
    },
    {
      name: "only the very last message is sent",
      agent: loop({ request: ({ messages, tools }) => ({ messages: messages.slice(-1), tools }) }),
      says: ["`read_logs`", "unexpected `tool_use_id`"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    {
      name: "trimming in whole pairs",
      agent: loop({
        request: ({ messages, tools }) => ({
          messages: messages.length > 3 ? [messages[0], ...messages.slice(-2)] : messages,
          tools,
        }),
      }),
      headline: null,
    },
    { name: "the turn was never there", agent: loop({ assistant: () => [] }), headline: "missing-assistant-turn" },
  ],
});
