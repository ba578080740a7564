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
    {
      name: "the model's turn said by nobody",
      agent: loop({ assistant: ({ content }) => [{ content }] }),
      says: ["sin `role`", "messages.1.role: Field required"],
      never: ["de otro", "someone else's"],
      found: ["wrong-role"],
    },
    {
      name: "results said by nobody",
      agent: loop({ user: (results) => [{ content: results }] }),
      says: ["sin `role`"],
      found: ["wrong-role"],
    },
    {
      name: "the question said by nobody",
      agent: loop({ request: ({ tools }) => ({ messages: [{ content: "What is wrong?" }], tools }) }),
      says: ["sin `role`"],
    },
  ],
  hasNot: [
    ...honestly(),
    {
      name: "blocks where messages belong",
      agent: loop({ user: (results) => results }),
      headline: "malformed-tool-result",
    },
    { name: "a result without its turn", agent: loop({ assistant: () => [] }), headline: "missing-assistant-turn" },
  ],
});
