import { script, twoTurns } from "../testing/scripts.ts";
import restartedConversation from "./restarted-conversation.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

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
    {
      name: "a question in other words each time, for ever",
      agent: async ({ callModel, tools, userInput }) => {
        for (let i = 0; ; i++) await callModel({ messages: [{ role: "user", content: `${userInput} ${i}` }], tools });
      },
      ends: "restarted-conversation",
      says: ["59 veces", "un historial sin nada de lo ocurrido", "`read_logs`"],
      never: ["lo que hizo la herramienta", "misma conversación"],
      found: ["restarted-conversation"],
    },
    {
      name: "a question in other words each time, up to a cap",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        for (let i = 0; i < 4; i++) {
          const { content } = await callModel({ messages: [{ role: "user", content: `${userInput} ${i}` }], tools });
          for (const block of content) if (block.type === "tool_use") await executeTool(block.name, block.input);
        }
      },
      ends: "returned",
      says: ["3 veces"],
      found: ["restarted-conversation"],
    },
    {
      name: "it calls itself with what the tools gave back written behind the question",
      agent: async function again(hands): Promise<unknown> {
        const { callModel, executeTool, tools, userInput } = hands;
        const response = await callModel({ messages: [{ role: "user", content: userInput }], tools });
        if (response.stop_reason !== "tool_use") return response;
        const given: unknown[] = [];
        for (const block of response.content)
          if (block.type === "tool_use") given.push(await executeTool(block.name, block.input));
        return again({ ...hands, userInput: userInput + JSON.stringify(given) });
      },
      says: ["otra vez una primera petición (1 mensaje)", "pidió `read_logs`", "once more a first one (1 message)"],
      never: ["ni un resultado"],
      found: ["restarted-conversation"],
    },
  ],
  hasNot: [
    {
      name: "a history of texts, which grows",
      agent: loop({
        assistant: () => [],
        user: (results) => [{ role: "user", content: JSON.stringify(results) }],
      }),
      headline: "missing-assistant-turn",
    },
    ...honestly(script(twoTurns)),
    {
      name: "one request is sent once more and the conversation goes on",
      agent: async (hands) => {
        await hands.callModel({ messages: [{ role: "user", content: hands.userInput }], tools: hands.tools });
        return loop({})(hands);
      },
      headline: null,
    },
    {
      name: "each request made three times at once",
      agent: (hands) =>
        loop({})({
          ...hands,
          callModel: async (request) => (await Promise.all([1, 2, 3].map(() => hands.callModel(request))))[0]!,
        }),
      ends: "returned",
      headline: "kept-going-after-end",
    },
    {
      name: "three conversations, each taken up",
      agent: async (hands) => {
        for (const words of ["a", "b", "c"]) await loop({})({ ...hands, userInput: words });
        return loop({})(hands);
      },
    },
  ],
});
