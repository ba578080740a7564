import { openTestScript } from "../testing/play.ts";
import { oneTurn, script, twoTurns } from "../testing/scripts.ts";
import promptNotSent from "./prompt-not-sent.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const asking = (question: unknown, more: object = {}) =>
  loop({ request: ({ messages, tools }) => ({ messages: [question, ...messages.slice(1)], tools, ...more }) });
const demands = ["whole-history"] as const;
const prompt = "Restart the payments service tonight and tell me why it was slow";
const long = script(oneTurn, { userInput: prompt });

lists(promptNotSent, {
  has: [
    {
      name: "other words",
      agent: asking({ role: "user", content: "userInput" }),
      demands,
      says: ["«What is wrong?»", "«userInput»", '"userInput"'],
      found: ["prompt-not-sent"],
    },
    {
      name: "a greeting, in a block",
      agent: asking({ role: "user", content: [{ type: "text", text: "Hello" }] }),
      demands,
    },
    {
      name: "words that the prompt happens to share a few of",
      agent: asking({ role: "user", content: "You are the agent of a service" }),
      script: long,
      demands,
    },
    {
      name: "other words, and the model speaks of what was asked",
      agent: asking({ role: "user", content: "userInput" }),
      script: script(oneTurn.map((reply) => ({ ...reply, text: "What is wrong? I look. {{nonce}}" }))),
      demands,
    },
    {
      name: "an object that became a text, in sight",
      agent: async ({ callModel, executeTool, tools }) => {
        const messages: unknown[] = [{ role: "user", content: "[object Object]" }];
        let response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          messages.push({ role: "assistant", content: response.content });
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const content = JSON.stringify(await executeTool(block.name, block.input));
            messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: block.id, content }] });
          }
          response = await callModel({ messages, tools });
        }
        return response;
      },
      script: script(twoTurns),
      demands,
      line: 2,
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)).map((each) => ({ ...each, demands })),
    ...[
      { name: "wrapped in other words", question: { role: "user", content: `Be brief. <ask>${prompt}</ask> Thanks.` } },
      { name: "in capitals", question: { role: "user", content: prompt.toUpperCase() } },
      { name: "cut short", question: { role: "user", content: `${prompt.slice(0, 40)}…` } },
      {
        name: "in words of the loop's own",
        question: { role: "user", content: "Why was payments slow? Restart it tonight." },
      },
      {
        name: "split in blocks",
        question: { role: "user", content: prompt.split(" ").map((text) => ({ type: "text", text })) },
      },
      {
        name: "in a document",
        question: {
          role: "user",
          content: [{ type: "document", source: { type: "text", media_type: "text/plain", data: prompt } }],
        },
      },
    ].map(({ name, question }) => ({ name, agent: asking(question), script: long, demands, headline: null })),
    {
      name: "in the system prompt",
      agent: asking({ role: "user", content: "Go on." }, { system: `The task: ${prompt}` }),
      script: long,
      demands,
      headline: null,
    },
    {
      name: "only in the second request, after one that warms up",
      agent: async (hands) => {
        await hands.callModel({ messages: [{ role: "user", content: "ping" }] });
        return loop({})(hands);
      },
      demands,
    },
    {
      name: "a question of the program's own, where nobody asks for the user's",
      agent: asking({ role: "user", content: "How are you?" }),
      headline: null,
    },
    {
      name: "the words of another conversation",
      agent: asking({ role: "user", content: prompt }),
      beside: [openTestScript(long)],
      demands,
    },
    { name: "nothing is asked", agent: () => "done", demands, headline: "model-never-asked" },
  ],
});
