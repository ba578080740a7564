import { oneTurn, script, silentTurns, twoAtOnce, twoTurns } from "../testing/scripts.ts";
import historyCutShort from "./history-cut-short.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const sending = (pick: (messages: unknown[]) => unknown[], more: object = {}) =>
  loop({ request: ({ messages, tools }) => ({ messages: pick(messages), tools, ...more }) });

lists(historyCutShort, {
  has: [
    {
      name: "the last two messages alone",
      agent: sending((messages) => messages.slice(-2)),
      script: script(twoTurns),
      ends: "returned",
      says: ["What is wrong?", "1 respuesta del modelo", "2 messages"],
      found: ["history-cut-short"],
    },
    {
      name: "the last four",
      agent: sending((messages) => messages.slice(-4)),
      script: script(twoTurns),
      says: ["2 respuestas", "4 mensajes"],
      found: ["history-cut-short"],
    },
    {
      name: "without a word beside the calls",
      agent: sending((messages) => messages.slice(-2)),
      script: script(silentTurns),
      found: ["history-cut-short"],
    },
    {
      name: "the history is made anew in each turn",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        let messages: unknown[] = [{ role: "user", content: userInput }];
        for (;;) {
          const response = await callModel({ messages, tools });
          if (response.stop_reason !== "tool_use") return response;
          const results: unknown[] = [];
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const content = JSON.stringify(await executeTool(block.name, block.input));
            results.push({ type: "tool_result", tool_use_id: block.id, content });
          }
          messages = [
            { role: "assistant", content: response.content },
            { role: "user", content: results },
          ];
        }
      },
      script: script(twoAtOnce),
      line: null,
    },
    {
      name: "the oldest message is thrown out, in sight",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        for (;;) {
          const response = await callModel({ messages, tools });
          if (response.stop_reason !== "tool_use") return response;
          messages.push({ role: "assistant", content: response.content });
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const content = JSON.stringify(await executeTool(block.name, block.input));
            messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: block.id, content }] });
          }
          if (messages.length > 2) messages.shift();
        }
      },
      script: script(oneTurn),
      line: 28,
    },
    {
      name: "the question and the last turn alone, where all is asked for",
      agent: sending((messages) => [messages[0], ...messages.slice(1).slice(-2)]),
      script: script(twoTurns),
      demands: ["whole-history"],
      says: ["la llamada a `read_logs`", "the call of `read_logs`", "3 mensajes", "3 messages"],
      never: ["la pregunta no está", "the question is not there"],
      found: ["history-cut-short"],
    },
    {
      name: "a summary stands in the place of the older turns, where all is asked for",
      agent: sending((messages) =>
        messages.length > 3 ? [messages[0], ...messages.slice(-2), { role: "user", content: "In short." }] : messages,
      ),
      script: script([...twoTurns.slice(0, -1), ...twoAtOnce]),
      demands: ["whole-history"],
      found: ["history-cut-short"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)).map((each) => ({ ...each, demands: ["whole-history"] as const })),
    {
      name: "old results in fewer words, where all is asked for",
      agent: sending((messages) =>
        messages.map((message, index) => {
          const { role, content } = message as { role: string; content: { tool_use_id: string }[] };
          if (role !== "user" || index === 0 || index === messages.length - 1) return message;
          const old = content.map(({ tool_use_id }) => ({ type: "tool_result", tool_use_id, content: "(old)" }));
          return { role, content: old };
        }),
      ),
      script: script(twoTurns),
      demands: ["whole-history"],
      headline: null,
    },
    {
      name: "a question beside the conversation, where all of that is asked for",
      agent: async (hands) => {
        const aside = () => hands.callModel({ messages: [{ role: "user", content: "What is wrong? In a word." }] });
        const step = loop({
          request: (request) => {
            if (request.messages.length === 3) aside().catch(() => {});
            return request;
          },
        });
        return step(hands);
      },
      script: script(twoTurns),
      demands: ["whole-history"],
    },
    ...honestly(script(twoTurns)),
    ...honestly(script(twoAtOnce)),
    {
      name: "trimming that keeps the question",
      agent: sending((messages) => (messages.length > 3 ? [messages[0], ...messages.slice(-2)] : messages)),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "the question stands in the system prompt",
      agent: sending((messages) => (messages.length > 1 ? messages.slice(-2) : messages), {
        system: "You are on call. The user asks: What is wrong?",
      }),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "a summary stands in its place",
      agent: sending((messages) =>
        messages.length > 3
          ? [{ role: "user", content: "So far: the api's log was read." }, ...messages.slice(-2)]
          : messages,
      ),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "a pair is cut in two",
      agent: sending((messages) => messages.slice(-3)),
      script: script(twoTurns),
      headline: "orphaned-tool-result",
    },
    {
      name: "the model's turn was never put in",
      agent: loop({ assistant: () => [] }),
      script: script(twoTurns),
      headline: "missing-assistant-turn",
    },
    {
      name: "the turn without its calls",
      agent: loop({ assistant: () => [{ role: "assistant", content: "I looked." }] }),
      script: script(twoTurns),
    },
    {
      name: "a conversation that starts over",
      agent: loop({ assistant: () => [], user: () => [] }),
      script: script(twoTurns),
      headline: "restarted-conversation",
    },
  ],
});
