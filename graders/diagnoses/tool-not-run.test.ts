import type { Agent } from "../testing/play.ts";
import { approval, oneTurn, patientPolling, sameTwice, script, stuckOnOne, twoAtOnce } from "../testing/scripts.ts";
import { keyOf } from "./find/calls.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import toolNotRun from "./tool-not-run.ts";

const saying = (content: string, more = {}) =>
  loop({ result: ({ id }) => ({ type: "tool_result", tool_use_id: id, content, ...more }) });

/** Each call is run once, and whatever is alike gets what came of that; `forget` says when to begin anew. */
const remembering =
  (forget: "never" | "each turn"): Agent =>
  ({ callModel, executeTool, ...hands }) => {
    const known = new Map<string, Promise<unknown>>();
    return loop({})({
      ...hands,
      callModel: (request) => {
        if (forget === "each turn") known.clear();
        return callModel(request);
      },
      executeTool: (name, input) => {
        const key = keyOf(name, input);
        if (!known.has(key)) known.set(key, executeTool(name, input));
        return known.get(key)!;
      },
    });
  };

lists(toolNotRun, {
  has: [
    { name: "a made-up result", agent: saying("ok"), ends: "returned", says: ["«ok»", "`read_logs`"] },
    {
      name: "a made-up result for the second call, in sight",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        const { content } = await callModel({ messages, tools });
        const calls = content.filter((block) => block.type === "tool_use");
        const output = await executeTool(calls[0]!.name, calls[0]!.input);
        const results: unknown[] = [];
        for (const { id } of calls)
          results.push({ type: "tool_result", tool_use_id: id, content: id === calls[0]!.id ? output : "pending" });
        messages.push({ role: "assistant", content }, { role: "user", content: results });
        return callModel({ messages, tools });
      },
      script: script(twoAtOnce),
      says: ["«pending»"],
      line: 16,
    },
    {
      name: "asked for again in a later turn, and answered from memory",
      agent: remembering("never"),
      script: script(patientPolling),
      ends: "returned",
      says: ["En su respuesta 2", "volvió a pedir", "This time it was not run"],
      never: ["nunca se ejecutó", "never run"],
      found: ["tool-not-run"],
    },
    {
      name: "asked for again beside another call",
      agent: remembering("never"),
      script: script([...oneTurn.slice(0, 1), ...twoAtOnce]),
      says: ["volvió a pedir"],
      found: ["tool-not-run"],
    },
  ],
  hasNot: [
    ...honestly(script(patientPolling)),
    {
      name: "calls of one turn that are alike share a run",
      agent: remembering("each turn"),
      script: script([...sameTwice.slice(0, 1), ...sameTwice]),
      headline: null,
    },
    {
      name: "a model that is stuck, in a conversation without end",
      agent: remembering("never"),
      script: stuckOnOne,
    },
    ...honestly(script(twoAtOnce)),
    { name: "refused, and said so", agent: saying("Not allowed.", { is_error: true }), headline: null },
    {
      name: "a call that must be refused, in plain words",
      agent: saying("Not now."),
      script: script(approval),
      headline: "tool-error-unflagged",
    },
    {
      name: "run with another input",
      agent: loop({
        result: async ({ id }, execute) => ({
          type: "tool_result",
          tool_use_id: id,
          content: await execute("read_logs", {}).catch(() => "ok"),
        }),
      }),
      headline: "wrong-tool-input",
    },
  ],
});
