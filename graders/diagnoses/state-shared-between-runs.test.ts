import { expect, test } from "vitest";
import { type Agent, openTestScript, play } from "../testing/play.ts";
import { script, twoTurns } from "../testing/scripts.ts";
import type { ApiMessage } from "../trace/api.ts";
import type { Scenario } from "../trace/scenario.ts";
import { diagnose } from "./catalog/catalog.ts";
import sharedState from "./state-shared-between-runs.ts";
import { careful, honest, loop, recursive } from "./testing/agents.ts";
import { type Case, lists } from "./testing/check.ts";

const first = openTestScript(script(twoTurns, { userInput: "What is wrong with the shop?" }), "first");
const second = openTestScript(script(twoTurns, { userInput: "Why is the till so slow?" }), "second");
/** The same question in another conversation. */
const again = openTestScript(script(twoTurns, { userInput: "What is wrong with the shop?" }), "again");
const elsewhere = openTestScript(
  script(
    [
      { calls: [{ tool: "restart_service", input: { service: "db" }, does: { returns: "done {{nonce}}" } }] },
      { text: "All is well. {{nonce}}" },
    ],
    { userInput: "What is wrong with the shop?" },
  ),
  "elsewhere",
);

/** The case of an agent that has held another conversation before. */
async function after(earlier: Scenario, scenario: Scenario, agent: Agent): Promise<Omit<Case, "name">> {
  await play(agent, { scenario: earlier });
  return { agent, scenario, beside: [earlier] };
}

/** The messages of all conversations in one list. */
function oneHistory(): Agent {
  const messages: unknown[] = [];
  return async ({ callModel, executeTool, tools, userInput }) => {
    messages.push({ role: "user", content: userInput });
    let response = await callModel({ messages, tools });
    while (response.stop_reason === "tool_use") {
      messages.push({ role: "assistant", content: response.content });
      const results: unknown[] = [];
      for (const block of response.content) {
        if (block.type !== "tool_use") continue;
        const content = JSON.stringify(await executeTool(block.name, block.input));
        results.push({ type: "tool_result", tool_use_id: block.id, content });
      }
      messages.push({ role: "user", content: results });
      response = await callModel({ messages, tools });
    }
    messages.push({ role: "assistant", content: response.content });
    return response;
  };
}

/** Results that are never cleared away. */
function oneListOfResults(): Agent {
  const results: { type: string; tool_use_id: string; content: string }[] = [];
  return loop({
    result: async ({ id, name, input }, execute) => {
      const result = { type: "tool_result", tool_use_id: id, content: JSON.stringify(await execute(name, input)) };
      results.push(result);
      return result;
    },
    user: () => [{ role: "user", content: [...results] }],
  });
}

/** The first answer is everybody's. */
function oneAnswer(): Agent {
  let answer: ApiMessage | null = null;
  return loop({
    answer: (response) => {
      answer ??= response;
      return answer;
    },
  });
}

/** The latest reply in a variable of all conversations. */
function oneReply(): Agent {
  let response: ApiMessage;
  return async ({ callModel, executeTool, tools, userInput }) => {
    const messages: unknown[] = [{ role: "user", content: userInput }];
    response = await callModel({ messages, tools });
    while (response.stop_reason === "tool_use") {
      const results: unknown[] = [];
      for (const block of response.content) {
        if (block.type !== "tool_use") continue;
        const content = JSON.stringify(await executeTool(block.name, block.input).catch((error) => error.message));
        results.push({ type: "tool_result", tool_use_id: block.id, content });
      }
      // By now another conversation may have put its own reply there.
      messages.push({ role: "assistant", content: response.content });
      messages.push({ role: "user", content: results });
      response = await callModel({ messages, tools });
    }
    return response;
  };
}

/** The first call is everybody's. */
function lastCall(): Agent {
  let pending: [string, unknown] | null = null;
  return loop({
    result: async ({ id, name, input }, execute) => {
      pending ??= [name, input];
      const content = await execute(...pending).catch((error: Error) => error.message);
      return { type: "tool_result", tool_use_id: id, content: JSON.stringify(content) };
    },
  });
}

lists(sharedState, {
  has: [
    {
      name: "one history for all, in turn",
      ...(await after(first, second, oneHistory())),
      says: ["La llamada 1 al modelo", "«What is wrong with the shop?»"],
      found: ["state-shared-between-runs"],
    },
    {
      name: "one history for all, asked the same",
      ...(await after(first, again, oneHistory())),
      says: ["La llamada 1 al modelo", "que solo se dijo en otra"],
    },
    {
      name: "results that pile up",
      ...(await after(first, again, oneListOfResults())),
      says: ["La llamada 2 al modelo", "log of api"],
      found: ["state-shared-between-runs"],
    },
    {
      name: "an answer that is kept",
      ...(await after(first, again, oneAnswer())),
      says: ["devolvió «All is well."],
      found: ["state-shared-between-runs"],
    },
    {
      name: "a call that is kept",
      ...(await after(elsewhere, first, lastCall())),
      says: ['`restart_service` con `{"service":"db"}`'],
    },
  ],
  hasNot: [
    ...(await Promise.all(
      [honest, recursive, careful].map(async (agent) => ({
        name: `${agent.name}, an honest loop`,
        ...(await after(first, second, agent)),
        headline: null,
      })),
    )),
    { name: "the same prompt, nothing shared", ...(await after(first, again, honest)), headline: null },
    {
      name: "an id of its own making",
      ...(await after(first, again, loop({ user: (results) => [{ role: "user", content: results.map(made) }] }))),
      headline: "wrong-tool-use-id",
    },
    {
      name: "one history for all, and no other conversation",
      agent: oneHistory(),
      scenario: second,
      headline: null,
    },
  ],
});

function made(result: Record<string, unknown>) {
  return { ...result, tool_use_id: "toolu_1" };
}

/** A cap that counts the laps of all conversations. */
function oneCap(): Agent {
  let laps = 0;
  return async ({ callModel, executeTool, tools, userInput }) => {
    const messages: unknown[] = [{ role: "user", content: userInput }];
    let response = await callModel({ messages, tools });
    while (response.stop_reason === "tool_use" && laps < 3) {
      laps += 1;
      const results: unknown[] = [];
      for (const block of response.content) {
        if (block.type !== "tool_use") continue;
        const content = JSON.stringify(await executeTool(block.name, block.input));
        results.push({ type: "tool_result", tool_use_id: block.id, content });
      }
      messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
      response = await callModel({ messages, tools });
    }
    return response;
  };
}

test("what goes well alone and not after another is told by that, and nothing that follows from it", async () => {
  const agent = oneCap();
  await play(agent, { scenario: first });
  const run = await play(agent, { scenario: second, beside: [first] });
  expect(diagnose(run).map(({ id }) => id)).toEqual(["stopped-early"]);
  const [found, ...others] = diagnose({ ...run, passesAlone: true });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ id: "state-shared-between-runs", headline: { en: expect.stringMatching(/alone/) } });
  expect(found!.detail.en).toMatch(/called the model twice; the whole conversation takes 3\./);
  for (const said of [found!.headline, found!.next]) expect(said.es).not.toBe(said.en);
});

test.each([
  ["one history", oneHistory],
  ["one reply", oneReply],
])("has it: %s for two conversations at once", async (_, agentOf) => {
  const agent = agentOf();
  const [one, other] = await Promise.all([
    play(agent, { scenario: first, beside: [again] }),
    play(agent, { scenario: again, beside: [first] }),
  ]);
  const heads = [one, other].map((run) => diagnose(run)[0]?.id);
  expect(heads).toContain("state-shared-between-runs");
});

test("has it not: two conversations at once that share nothing", async () => {
  const runs = await Promise.all([
    play(honest, { scenario: first, beside: [again] }),
    play(honest, { scenario: again, beside: [first] }),
  ]);
  for (const run of runs) expect(diagnose(run)).toEqual([]);
});
