import { expect, test } from "vitest";
import type { Behaviour } from "./behaviour.ts";
import endless from "./behaviours/endless-model.ts";
import fullHistory from "./behaviours/full-history.ts";
import parallelCalls from "./behaviours/parallel-calls.ts";
import rounds from "./behaviours/rounds.ts";
import { textOf } from "./testing/honest.ts";
import { loop } from "./testing/loops.ts";
import { playRow } from "./testing/rows.ts";

/** It gives up after so many calls, in these words. */
const capped = (cap: number, give: () => unknown) =>
  loop({ cap, answer: (reply) => (reply.stop_reason === "tool_use" ? give() : textOf(reply)) });

const WAYS = {
  "by an error": () => {
    throw new Error("too many turns");
  },
  "by a field": () => ({ stopped: "max_turns" }),
};

test.each<[Behaviour, number, number]>([
  [rounds, 2, 4],
  [rounds, 3, 4],
  [parallelCalls, 2, 3],
  [fullHistory, 3, 7],
  [fullHistory, 4, 7],
  [fullHistory, 6, 7],
])(
  "a cap of a loop below what a conversation takes is told, and no fault: $0.id, $1",
  async (behaviour, cap, takes) => {
    for (const give of Object.values(WAYS)) {
      const { verdict } = await playRow(behaviour, { agent: capped(cap, give) });
      expect(verdict?.status, verdict?.message.en).toBe("not-observable");
      expect(verdict?.message.en).toContain(
        `cap, ${cap} calls of the model, is lower than what this conversation takes, ${takes}.`,
      );
      expect(verdict?.message.es).toContain(
        `${cap} llamadas al modelo, es menor que lo que pide esta conversación, ${takes}.`,
      );
    }
  },
);

test.each(Object.entries(WAYS))("a low cap that the loop tells of is a cap: %s", async (_, give) => {
  for (const cap of [2, 3, 4]) {
    const { verdict } = await playRow(endless, { agent: capped(cap, give) });
    expect(verdict?.status, verdict?.message.en).toBe("holds");
    expect(verdict?.message.en).toContain(`after ${cap} calls`);
  }
});

test.each<[string, () => unknown]>([
  [
    "an error that says nothing of a limit",
    () => {
      throw new Error("Unexpected block");
    },
  ],
  [
    "an error of the language",
    () => {
      throw new TypeError("loop is not iterable");
    },
  ],
  ["nothing that says so", () => "I could do no more."],
])("no cap is made out of %s", async (_, give) => {
  const { verdict } = await playRow(rounds, { agent: capped(3, give) });
  expect(verdict?.status, verdict?.message.en).toBe("fails");
  expect((await playRow(endless, { agent: capped(3, give) })).verdict?.status).toBe("not-observable");
});

test("what goes wrong before a cap is told all the same", async () => {
  const { verdict } = await playRow(rounds, {
    agent: async (hands) => {
      const once = new Set<string>();
      await capped(
        3,
        WAYS["by an error"],
      )({
        ...hands,
        executeTool: async (name, input) => {
          if (once.has(name)) return hands.executeTool(name, input);
          once.add(name);
          await hands.executeTool(name, input);
          return hands.executeTool(name, input);
        },
      });
    },
  });
  expect(verdict).toMatchObject({ status: "fails", diagnosis: "tool-run-twice" });
});
