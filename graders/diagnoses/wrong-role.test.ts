import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import wrongRole from "./wrong-role.ts";

lists(wrongRole, {
  has: [
    {
      name: "results by a tool role",
      agent: loop({ user: (results) => [{ role: "tool", content: results }] }),
      says: ['role: "tool"'],
    },
    {
      name: "results said by the assistant",
      agent: loop({ user: (results) => [{ role: "assistant", content: results }] }),
      says: ["en un mensaje de `assistant`"],
      found: ["wrong-role"],
    },
    {
      name: "the model's turn said by the user",
      agent: loop({ assistant: ({ content }) => [{ role: "user", content }] }),
      says: ["en un mensaje de `user`"],
      found: ["wrong-role"],
    },
    {
      name: "the model's turn said by the user, from the second turn on",
      agent: loop({ assistant: ({ content }, turn) => [{ role: turn === 1 ? "assistant" : "user", content }] }),
      found: ["wrong-role"],
    },
  ],
  hasNot: [
    ...honestly(),
    { name: "a result without its turn", agent: loop({ assistant: () => [] }), headline: "missing-assistant-turn" },
  ],
});
