/** A request that the API turned down, and a `catch` that keeps that to itself: told by what was wrong with the request. */
import { expect, test } from "vitest";
import { type Agent, play } from "../../testing/play.ts";
import { script, threeAtOnce, twoTurns } from "../../testing/scripts.ts";
import { type Changes, loop } from "../testing/agents.ts";
import { diagnose } from "./catalog.ts";

const CAUSES: Readonly<Record<string, Changes>> = {
  "missing-assistant-turn": { assistant: () => [] },
  "wrong-role": { user: (results) => [{ role: "tool", content: results }] },
  "whole-response-pushed": { assistant: (response) => [response] },
  "text-only-history": {
    assistant: ({ content }) => [{ role: "assistant", content: content.filter(({ type }) => type === "text") }],
  },
  "dropped-tool-result": { calls: (calls) => calls.slice(1) },
  "wrong-tool-use-id": { user: (results) => [{ role: "user", content: results.map(named) }] },
  "unserialized-tool-result": { user: (results) => [{ role: "user", content: results.map(wrapped) }] },
  "duplicate-tool-result": { user: (results) => [{ role: "user", content: [...results, ...results] }] },
  "text-before-tool-results": {
    user: (results) => [{ role: "user", content: [{ type: "text", text: "Here:" }, ...results] }],
  },
};

function named(result: object): object {
  return { ...result, tool_use_id: "read_logs" };
}

function wrapped(result: object): object {
  return { ...result, content: { value: "content" in result ? result.content : null } };
}

/** What a loop does with the error, and with what the run is over then. `insists` goes on with the reply it has, without end. */
const WAYS: Readonly<Record<string, { laps: number; ends: string }>> = {
  insists: { laps: Number.POSITIVE_INFINITY, ends: "retry-storm" },
  "goes on for a few laps": { laps: 4, ends: "returned" },
  "leaves the loop": { laps: 0, ends: "returned" },
};

/** The loop, with the reply before in the place of one that did not come. */
function swallowing(changes: Changes, laps: number): Agent {
  return ({ callModel, ...hands }) => {
    let last: Awaited<ReturnType<typeof callModel>> | null = null;
    let failed = 0;
    const orTheLast: typeof callModel = async (request) => {
      try {
        last = await callModel(request);
      } catch (error) {
        failed++;
        if (last === null) throw error;
      }
      return last;
    };
    return loop({ ...changes, on: ({ stop_reason }) => stop_reason === "tool_use" && failed <= laps })({
      ...hands,
      callModel: orTheLast,
    });
  };
}

for (const [way, { laps, ends }] of Object.entries(WAYS)) {
  test.each(Object.entries(CAUSES))(`%s, and a loop that ${way}`, async (id, changes) => {
    for (const replies of [twoTurns, threeAtOnce]) {
      const run = await play(swallowing(changes, laps), { script: script(replies) });
      const second = ends === "retry-storm" ? "retry-storm" : "rejection-swallowed";
      expect({ found: diagnose(run).map((each) => each.id), ends: run.kind ?? run.outcome }).toEqual({
        found: [id, second],
        ends,
      });
    }
  });
}
