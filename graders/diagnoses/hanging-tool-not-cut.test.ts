import { hangingTool, script } from "../testing/scripts.ts";
import hangingToolNotCut from "./hanging-tool-not-cut.ts";
import { honest, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const hangs = { tool: "read_logs", input: { service: "db" }, does: { hangs: true } };
const works = { tool: "read_logs", input: { service: "api" }, does: { returns: "fine {{nonce}}" } };
const done = { text: "Well. {{nonce}}" };

/** A deadline for each tool; a turn of the event loop stands for its time. */
const withDeadline = loop({
  result: async ({ id, name, input }, execute) => {
    const late = new Promise<never>((_, reject) => setImmediate(() => reject(new Error("no answer in time"))));
    return Promise.race([execute(name, input), late]).then(
      (value) => ({ type: "tool_result", tool_use_id: id, content: JSON.stringify(value) }),
      (error: Error) => ({ type: "tool_result", tool_use_id: id, content: error.message, is_error: true }),
    );
  },
});

lists(hangingToolNotCut, {
  has: [
    {
      name: "a tool that never answers",
      agent: honest,
      script: script(hangingTool),
      ends: "never-settles",
      says: ["1 llamada sin contestar: `read_logs` (id `toolu_"],
      found: ["hanging-tool-not-cut"],
    },
    {
      name: "beside one that works",
      agent: honest,
      script: script([{ calls: [works, hangs] }, done]),
      ends: "never-settles",
      says: ["1 call without an answer: `read_logs`"],
    },
    {
      name: "after a turn that went well",
      agent: loop({}),
      script: script([{ calls: [works] }, { calls: [hangs] }, done]),
      ends: "never-settles",
    },
  ],
  hasNot: [
    ...honestly(),
    { name: "a deadline", agent: withDeadline, script: script(hangingTool), ends: "returned", headline: null },
    {
      name: "a promise of its own that nobody resolves",
      agent: () => new Promise(() => {}),
      ends: "never-settles",
      headline: "never-settles",
    },
    {
      name: "the tool was cut off, and a promise of its own hangs later",
      agent: async (hands) => {
        await withDeadline(hands);
        await new Promise(() => {});
      },
      script: script(hangingTool),
      ends: "never-settles",
      headline: "never-settles",
    },
  ],
});
