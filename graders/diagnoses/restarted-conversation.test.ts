import restartedConversation from "./restarted-conversation.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { script, twoTurns } from "./testing/scripts.ts";

lists(restartedConversation, {
  has: [
    {
      name: "nothing is ever pushed",
      agent: loop({ assistant: () => [], user: () => [] }),
      ends: "restarted-conversation",
      says: ["10 veces más", "(1 mensaje)", "`read_logs`"],
    },
    {
      name: "a cap of its own ends it",
      agent: loop({ assistant: () => [], user: () => [], on: (_, turn) => turn < 5 }),
      ends: "returned",
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    {
      name: "one request is sent once more and the conversation goes on",
      agent: async (hands) => {
        await hands.callModel({ messages: [{ role: "user", content: hands.userInput }], tools: hands.tools });
        return loop({})(hands);
      },
      headline: null,
    },
  ],
});
