import { script, threeAtOnce, twoTurns } from "../testing/scripts.ts";
import splitToolResults from "./split-tool-results.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(splitToolResults, {
  has: [
    {
      name: "a message for each result, which the API takes",
      agent: loop({ user: (results) => results.map((result) => ({ role: "user", content: [result] })) }),
      script: script(threeAtOnce),
      ends: "returned",
      says: ["3 mensajes de `user` seguidos", "`read_logs` y `restart_service`"],
    },
    {
      name: "a turn for each call, with its result after it and the thinking left out",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        let response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const content = JSON.stringify(await executeTool(block.name, block.input));
            messages.push({ role: "assistant", content: [block] });
            messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: block.id, content }] });
          }
          response = await callModel({ messages, tools });
        }
        return response;
      },
      script: script([{ ...threeAtOnce[0], thinking: "One by one. {{nonce}}" }, threeAtOnce[1]]),
      ends: "returned",
      says: ["3 turnos de `assistant`", "3 `assistant` turns"],
      found: ["split-tool-results"],
    },
  ],
  hasNot: [
    ...honestly(script(threeAtOnce)),
    {
      name: "one call a turn, each in its message",
      agent: loop({ user: (results) => results.map((result) => ({ role: "user", content: [result] })) }),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "a note after the results in a message of its own",
      agent: loop({
        user: (results) => [
          { role: "user", content: results },
          { role: "user", content: "Go on." },
        ],
      }),
      script: script(threeAtOnce),
      headline: null,
    },
  ],
});
