import { expect, test } from "vitest";
import { play } from "../../testing/play.ts";
import {
  emptyEnd,
  endless,
  failingTool,
  flakyTool,
  hangingTool,
  noCall,
  oneTurn,
  overloadedOnce,
  polling,
  script,
  silentTurns,
  thinksLast,
  threeAtOnce,
  twoAtOnce,
  twoTurns,
} from "../../testing/scripts.ts";
import { diagnose } from "../catalog/catalog.ts";
import { careful, honest, recursive } from "./agents.ts";

const conversations = {
  twoTurns,
  silentTurns,
  oneTurn,
  twoAtOnce,
  threeAtOnce,
  noCall,
  failingTool,
  flakyTool,
  thinksLast,
  emptyEnd,
  overloadedOnce,
};

for (const agent of [honest, recursive, careful]) {
  test.each(Object.entries(conversations))(`nothing is found in the ${agent.name} loop: %s`, async (_, replies) => {
    const run = await play(agent, { script: script(replies) });
    expect(run.outcome).toBe("returned");
    expect(diagnose(run)).toEqual([]);
  });
}

test("a loop with a cap of its own gets through a conversation without end", async () => {
  const run = await play(careful, { script: endless, cap: 12 });
  expect([run.outcome, run.counts.callModel, diagnose(run)]).toEqual(["returned", 10, []]);
});

test("a loop that polls because replies ask again is never stopped", async () => {
  const run = await play(honest, { script: script(polling) });
  expect([run.outcome, run.counts.executeTool, diagnose(run)]).toEqual(["returned", 30, []]);
});

test("a tool that never answers leaves the run waiting for nothing", async () => {
  const run = await play(honest, { script: script(hangingTool) });
  expect([run.outcome, run.kind]).toEqual(["stalled", "never-settles"]);
});
