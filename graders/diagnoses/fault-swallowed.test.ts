import type { Agent } from "../testing/play.ts";
import { failingOnce, oneTurn, script, twoAtOnce, twoTurns } from "../testing/scripts.ts";
import type { ApiMessage } from "../trace/api.ts";
import faultSwallowed from "./fault-swallowed.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

/** A conversation in which the server fails so often after the first turn. */
const failing = (times: number, fault: number, replies: readonly unknown[] = twoTurns) =>
  script([...replies.slice(0, 1), ...Array.from({ length: times }, () => ({ fault })), ...replies.slice(1)]);

/** The loop, for so many laps at most, with the reply before in the place of one that did not come. */
const swallowing =
  (laps = 12): Agent =>
  ({ callModel, ...hands }) => {
    let last: ApiMessage | null = null;
    return loop({ on: ({ stop_reason }, lap) => stop_reason === "tool_use" && lap < laps })({
      ...hands,
      callModel: async (request) => {
        try {
          last = await callModel(request);
        } catch (error) {
          if (last === null) throw error;
        }
        return last;
      },
    });
  };

lists(faultSwallowed, {
  has: [
    ...[529, 429, 500, 400].map((fault) => ({
      name: `a ${fault}, and the lap goes on`,
      agent: swallowing(),
      attempts: 1,
      script: failing(1, fault),
      ends: "returned",
      says: [`\`${fault}\``, "volvió a ejecutar lo que ya había ejecutado, `read_logs`"],
      found: ["fault-swallowed"],
    })),
    {
      name: "the server stays busy for several laps",
      agent: swallowing(),
      attempts: 1,
      script: failing(3, 529, oneTurn),
      found: ["fault-swallowed"],
    },
    {
      name: "the attempts of the SDK are spent",
      agent: swallowing(),
      script: failing(3, 529, twoAtOnce),
      found: ["fault-swallowed"],
    },
    {
      name: "in the lap, and the line of the catch",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        let response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          const results: unknown[] = [];
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const output = await executeTool(block.name, block.input);
            results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
          }
          messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
          try {
            response = await callModel({ messages, tools });
          } catch {}
        }
        return response;
      },
      attempts: 1,
      script: failing(1, 529),
      line: 33,
    },
    {
      name: "what was run is remembered, and the turn goes in once more",
      agent: ({ executeTool, ...hands }) => {
        const known = new Map<string, Promise<unknown>>();
        return swallowing()({
          ...hands,
          executeTool: (name, input) => {
            if (!known.has(name)) known.set(name, executeTool(name, input));
            return known.get(name)!;
          },
        });
      },
      attempts: 1,
      script: failing(1, 529),
      says: ["volvió a poner en el historial el turno que pedía `read_logs`"],
    },
  ],
  hasNot: [
    ...honestly(failing(1, 529)),
    ...honestly(script(failingOnce(529))),
    {
      name: "the same request is sent again",
      agent: loop({ retry: () => true }),
      attempts: 1,
      script: failing(3, 529),
      headline: null,
    },
    {
      name: "a lap that asks once more, with what it has",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        for (let lap = 0; lap < 9; lap++) {
          let response: ApiMessage;
          try {
            response = await callModel({ messages, tools });
          } catch {
            continue;
          }
          if (response.stop_reason !== "tool_use") return response;
          const results: unknown[] = [];
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const output = await executeTool(block.name, block.input);
            results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(output) });
          }
          messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
        }
        return { stopped: "too many turns" };
      },
      attempts: 1,
      script: failing(2, 529),
      headline: null,
    },
    {
      name: "the loop gives up, and the error gets out",
      agent: loop({}),
      attempts: 1,
      script: failing(1, 529),
      headline: "overload-not-retried",
    },
    {
      name: "the reply is never put in its place, and no request failed",
      agent: ({ callModel, ...hands }) => {
        let first: Promise<ApiMessage> | null = null;
        return loop({})({
          ...hands,
          callModel: (request) => {
            const asked = callModel(request);
            first ??= asked;
            return asked.then(() => first!);
          },
        });
      },
      headline: "missing-reassignment",
    },
  ],
});
