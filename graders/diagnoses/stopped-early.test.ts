import type { Agent, Hands } from "../testing/play.ts";
import { endless, script, twoTurns } from "../testing/scripts.ts";
import stoppedEarly from "./stopped-early.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

/** It ends with nothing to say once the test holds after a turn. */
const stopsWhen =
  (test: (hands: Hands, used: number) => boolean): Agent =>
  async (hands) => {
    const { callModel, executeTool, tools, userInput } = hands;
    const messages: unknown[] = [{ role: "user", content: userInput }];
    let used = 0;
    for (;;) {
      const response = await callModel({ messages, tools });
      used += response.usage.input_tokens + response.usage.output_tokens;
      if (response.stop_reason !== "tool_use") return response;
      const results: unknown[] = [];
      for (const block of response.content) {
        if (block.type !== "tool_use") continue;
        const content = await executeTool(block.name, block.input);
        results.push({ type: "tool_result", tool_use_id: block.id, content });
      }
      if (test(hands, used)) return null;
      messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
    }
  };

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
      name: "a budget that is far from spent",
      agent: stopsWhen((_, used) => used > 100),
      script: script(twoTurns, { options: { budget: 100_000 } }),
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
    {
      name: "the run is aborted while a tool is at work",
      agent: stopsWhen(({ options }) => options.signal.aborted),
      abortAfter: 4,
      headline: null,
    },
    {
      name: "the tokens it was given are spent",
      agent: stopsWhen((_, used) => used > 100),
      script: script(twoTurns, { options: { budget: 100 } }),
      headline: null,
    },
  ],
});
