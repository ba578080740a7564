import type { Agent, Hands } from "../testing/play.ts";
import { script, twoAtOnce, twoTurns } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import turnsOutOfOrder from "./turns-out-of-order.ts";

type Place = (messages: unknown[], assistant: unknown, user: unknown, turn: number) => void;

/** The honest loop, but for where it puts the two messages of a turn. */
const placing =
  (place: Place): Agent =>
  async ({ callModel, executeTool, tools, userInput }: Hands) => {
    const messages: unknown[] = [{ role: "user", content: userInput }];
    let response = await callModel({ messages, tools });
    for (let turn = 1; response.stop_reason === "tool_use"; turn++) {
      const results: unknown[] = [];
      for (const block of response.content) {
        if (block.type !== "tool_use") continue;
        const content = JSON.stringify(await executeTool(block.name, block.input));
        results.push({ type: "tool_result", tool_use_id: block.id, content });
      }
      place(messages, { role: "assistant", content: response.content }, { role: "user", content: results }, turn);
      response = await callModel({ messages, tools });
    }
    return response;
  };

lists(turnsOutOfOrder, {
  has: [
    {
      name: "the two pushes swapped",
      agent: placing((messages, assistant, user) => messages.push(user, assistant)),
      ends: "threw",
      says: ["primero el `tool_result` de `read_logs`", "were found without `tool_result` blocks"],
      found: ["turns-out-of-order"],
    },
    {
      name: "swapped in the second turn alone",
      agent: placing((messages, assistant, user, turn) =>
        messages.push(...(turn === 2 ? [user, assistant] : [assistant, user])),
      ),
      says: ["the `tool_result` of `restart_service`"],
      found: ["turns-out-of-order"],
    },
    {
      name: "swapped, with two calls in the turn",
      agent: placing((messages, assistant, user) => messages.push(user, assistant)),
      script: script(twoAtOnce),
      found: ["turns-out-of-order"],
    },
    {
      name: "both put in front, in pairs: the API takes it",
      agent: placing((messages, assistant, user) => messages.unshift(assistant, user)),
      ends: "returned",
      says: ["delante de la pregunta", "(`read_logs`)"],
      found: ["turns-out-of-order"],
    },
    {
      name: "both put in front, one by one",
      agent: placing((messages, assistant, user) => {
        messages.unshift(assistant);
        messages.unshift(user);
      }),
      ends: "threw",
      says: ["before the question"],
      found: ["turns-out-of-order"],
    },
    {
      name: "the newest turn first, behind the question: the API takes it",
      agent: placing((messages, assistant, user) => messages.splice(1, 0, assistant, user)),
      ends: "returned",
      says: ["el modelo pidió `restart_service` está antes que uno anterior, en el que pidió `read_logs`"],
      found: ["turns-out-of-order"],
    },
    {
      name: "an exchange of the loop's own between a call and its result",
      agent: placing((messages, assistant, user) =>
        messages.push(assistant, { role: "user", content: "At it." }, { role: "assistant", content: "Good." }, user),
      ),
      says: ["pide `read_logs` y también su `tool_result`", "hay otro en medio"],
      found: ["turns-out-of-order"],
    },
    {
      name: "the 400 is swallowed",
      agent: loop({
        assistant: () => [],
        user: (results, { content }) => [
          { role: "user", content: results },
          { role: "assistant", content },
        ],
        retry: () => true,
      }),
      ends: "retry-storm",
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...honestly(script(twoAtOnce)),
    {
      name: "the turn was never there",
      agent: loop({ assistant: () => [] }),
      headline: "missing-assistant-turn",
    },
    {
      name: "a window over the last turn, with the question once more at its end",
      agent: loop({
        request: ({ messages, tools }) => ({
          messages: messages.length > 3 ? [...messages.slice(-2), messages[0]] : messages,
          tools,
        }),
      }),
      headline: null,
    },
    {
      name: "the question once more after each result",
      agent: loop({
        user: (results) => [
          { role: "user", content: results },
          { role: "user", content: "What is wrong?" },
        ],
      }),
      headline: null,
    },
    {
      name: "a note of the loop's own in front",
      agent: loop({
        request: ({ messages, tools }) => ({ messages: [{ role: "user", content: "Be brief." }, ...messages], tools }),
      }),
      headline: null,
    },
    {
      name: "a turn pushed twice",
      agent: loop({
        assistant: ({ content }) => [
          { role: "assistant", content },
          { role: "assistant", content },
        ],
      }),
      headline: "rewritten-history",
    },
  ],
});
