/** What an exercise says that it demands is what its criteria ask for: a loop that fails one for it is told by name, and no other. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  callModel,
  executeTool,
  type Message,
  type MessageParam,
  type ToolResultBlockParam,
} from "../../../exercises/harness.ts";
import { diagnose } from "../../diagnoses/catalog/catalog.ts";
import type { Exercise, JudgedRun } from "../../grading/spec.ts";
import { openScenario } from "../../model/scenario.ts";
import { parseScenario } from "../../model/scenario-file.ts";
import { type Agent, play } from "./play.ts";

const specs = Object.values(import.meta.glob<Exercise>("../2.*.ts", { eager: true, import: "default" })).filter(
  ({ scenarios = [] }) => scenarios.length > 0,
);

const isInside = (input: unknown) => {
  const { start } = input as { start?: string };
  return start === undefined || (start >= "02:00" && start <= "04:59");
};

/** An honest loop, but for what it sends of its messages and what it returns. */
const loop =
  (send: (messages: MessageParam[]) => MessageParam[], end: (response: Message) => unknown = textOf): Agent =>
  async (userInput, tools) => {
    const messages: MessageParam[] = [{ role: "user", content: userInput }];
    let response = await callModel({ messages: send(messages), tools });
    while (response.stop_reason === "tool_use") {
      const results: ToolResultBlockParam[] = [];
      for (const { type, ...block } of response.content as {
        type: string;
        id: string;
        name: string;
        input: unknown;
      }[]) {
        if (type !== "tool_use") continue;
        const result = { type: "tool_result", tool_use_id: block.id } as const;
        if (isInside(block.input)) {
          results.push({ ...result, content: JSON.stringify(await executeTool(block.name, block.input)) });
        } else results.push({ ...result, content: "Outside the window.", is_error: true });
      }
      messages.push({ role: "assistant", content: response.content }, { role: "user", content: results });
      response = await callModel({ messages: send(messages), tools });
    }
    return end(response);
  };

function textOf({ content }: Message): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

const all = (messages: MessageParam[]) => messages;

const LOOPS: Record<string, Agent> = {
  "an honest one": loop(all),
  "the question and the last turn alone": loop(([question, ...rest]) => [question!, ...rest.slice(-2)]),
  "other words than the user's": loop(([, ...rest]) => [{ role: "user", content: "userInput" }, ...rest]),
  "the whole Message": loop(all, (response) => response),
  "the JSON of its blocks": loop(all, ({ content }) => JSON.stringify(content)),
  "its beginning": loop(all, (response) => textOf(response).trim().slice(0, 12)),
};

async function judge(exercise: Exercise, agent: Agent) {
  const runs: JudgedRun[] = [];
  for (const name of exercise.scenarios ?? []) {
    const file = new URL(`../../../fixtures/scenarios/${name}.json`, import.meta.url);
    const scenario = openScenario(parseScenario(JSON.parse(readFileSync(file, "utf8")), name), {
      name,
      seed: "a",
      lang: "en",
    });
    runs.push(await play(agent, scenario));
  }
  const found = runs.flatMap((run) => diagnose({ ...run, demands: exercise.demands ?? [] }));
  const failed = exercise.criteria.filter(({ on, check }) => on !== "quiz" && check({ runs, quiz: null }) !== null);
  return { failed: failed.length > 0, told: found.some(({ weight }) => weight === "fault") };
}

test.each(specs.flatMap((exercise) => Object.keys(LOOPS).map((name) => ({ id: exercise.id, name, exercise }))))(
  "$id: $name",
  async ({ exercise, name }) => {
    const { failed, told } = await judge(exercise, LOOPS[name]!);
    expect(told).toBe(failed);
  },
);
