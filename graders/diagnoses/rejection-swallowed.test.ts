import { failingOnce, noCall, oneTurn, script, silentTurns, twoTurns } from "../testing/scripts.ts";
import type { ApiMessage } from "../trace/api.ts";
import rejectionSwallowed from "./rejection-swallowed.ts";
import { type Changes, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

/** The loop, with every error caught at its end: `end` makes something of what the model had said last. */
const caught =
  (changes: Changes, end: (last: ApiMessage | null, error: Error) => unknown): ReturnType<typeof loop> =>
  async (hands) => {
    let last: ApiMessage | null = null;
    const callModel: typeof hands.callModel = async (request) => {
      last = await hands.callModel(request);
      return last;
    };
    try {
      return await loop(changes)({ ...hands, callModel });
    } catch (error) {
      return end(last, error as Error);
    }
  };

/** No messages at all, once there is something to answer: a 400 that no other diagnosis explains. */
const emptied: Changes = {
  request: ({ messages, tools }) => ({ messages: messages.length > 1 ? [] : messages, tools }),
};
const textOf = (message: ApiMessage | null) =>
  message?.content.map((block) => (block.type === "text" ? block.text : "")).join("") ?? "";

lists(rejectionSwallowed, {
  has: [
    {
      name: "nothing is returned",
      agent: caught(emptied, () => undefined),
      ends: "returned",
      says: ["no devolvió nada", "returned nothing", "at least one message"],
      found: ["rejection-swallowed"],
    },
    {
      name: "the text of the reply before",
      agent: caught(emptied, textOf),
      script: script(twoTurns),
      says: ["lo que el modelo había dicho antes"],
      found: ["rejection-swallowed"],
    },
    {
      name: "the reply before, whole",
      agent: caught(emptied, (last) => last),
      script: script(silentTurns),
      found: ["rejection-swallowed"],
    },
    {
      name: "the first request is turned down for its size",
      agent: caught({}, () => ""),
      script: script(failingOnce(413)),
      says: ["413"],
    },
    {
      name: "what was wrong with the request is told first",
      agent: caught({ assistant: () => [] }, () => undefined),
      script: script(oneTurn),
      headline: "missing-assistant-turn",
      found: ["missing-assistant-turn", "rejection-swallowed"],
    },
    {
      name: "in the lap, and the line of the catch",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        let response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          for (const block of response.content) {
            if (block.type === "tool_use") await executeTool(block.name, block.input);
          }
          try {
            response = await callModel({ messages: [], tools });
          } catch {
            break;
          }
        }
        return response;
      },
      script: script(twoTurns),
      line: 19,
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...honestly(script(noCall)),
    { name: "the error gets out", agent: loop(emptied), headline: "threw" },
    { name: "words of its own", agent: caught(emptied, () => "Something went wrong"), headline: null },
    {
      name: "the reply before, and that the API would not go on",
      agent: caught(emptied, (last) => `${textOf(last)} (error: the API rejected the request)`),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "the error in a field",
      agent: caught(emptied, (last, error) => ({ last, error: error.message })),
      headline: null,
    },
    {
      name: "the error is printed",
      agent: (hands) =>
        caught(emptied, (_, error) => {
          hands.print(error.message);
        })(hands),
      headline: null,
    },
    {
      name: "the request is mended and sent again",
      agent: ({ callModel, ...hands }) =>
        loop({})({
          ...hands,
          callModel: (request) => callModel({ ...request, messages: [] }).catch(() => callModel(request)),
        }),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "the server was busy, which passes",
      agent: caught({}, () => ""),
      script: script([{ fault: 529 }, { fault: 529 }, { fault: 529 }, ...oneTurn]),
      headline: "overload-not-retried",
    },
  ],
});
