import { endless, script, twoTurns } from "../testing/scripts.ts";
import stoppedEarly from "./stopped-early.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(stoppedEarly, {
  has: [
    {
      name: "the loop is never entered",
      agent: loop({ on: () => false }),
      ends: "returned",
      says: ["La respuesta 1", "`read_logs`"],
    },
    {
      name: "one pass and no more",
      agent: loop({ on: (_, turn) => turn < 1 }),
      says: ["reply 2", "`restart_service`"],
    },
    {
      name: "the tool is run and its result kept",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const first = await callModel({ messages: [{ role: "user", content: userInput }], tools });
        for (const block of first.content) if (block.type === "tool_use") return executeTool(block.name, block.input);
      },
      says: ["no volvió al modelo"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    {
      name: "a cap in a conversation without end",
      agent: loop({ on: (_, turn) => turn < 5 }),
      script: endless,
      headline: null,
    },
    {
      name: "giving up with a reason",
      agent: loop({ on: (_, turn) => turn < 1, answer: () => ({ stopped: "budget" }) }),
      headline: null,
    },
  ],
});
