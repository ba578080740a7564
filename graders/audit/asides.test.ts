/** Honest loops that ask the model something beside their conversation: no row may take that for a turn of it. */
import { expect, test } from "vitest";
import { ASIDES_IN_A_ROW } from "../diagnoses/limits/limits.ts";
import { converse } from "../model/conversation.ts";
import { type Agent, type Hands, openTestScript, play } from "../testing/play.ts";
import type { ApiMessage } from "../trace/api.ts";
import { LANGS } from "../trace/text.ts";
import { behaviours, stopsAt } from "./audit.ts";
import { howItEnded } from "./endings.ts";
import { audited } from "./testing/audited.ts";
import { full, honest, resultsOf, strict, textOf } from "./testing/honest.ts";
import { playRow } from "./testing/rows.ts";

const ask = ({ callModel }: Hands, content: string, more = {}) =>
  callModel({ messages: [{ role: "user", content }], ...more });

/** It insists on a whole answer. */
const whole = async (reply: Promise<ApiMessage>) => {
  const { stop_reason, content } = await reply;
  if (stop_reason !== "end_turn") throw new Error(`Unexpected: ${stop_reason}`);
  return textOf({ content });
};

const LOOPS: Readonly<Record<string, Agent>> = {
  "a router before": async (hands) => {
    await whole(ask(hands, hands.userInput, { system: "Answer with one word: orders or other." }));
    return strict(hands);
  },
  "a guardrail before, its tools out of reach": async (hands) => {
    await whole(ask(hands, hands.userInput, { tools: hands.tools, tool_choice: { type: "none" } }));
    return full(hands);
  },
  "a plan before, kept in the conversation": async (hands) => {
    const plan = await whole(ask(hands, `Plan this: ${hands.userInput}`));
    const { callModel } = hands;
    const planned = ({ messages, ...more }: Record<string, unknown>) => {
      const [prompt, ...turns] = messages as unknown[];
      const kept = [prompt, { role: "assistant", content: plan }, { role: "user", content: "Do it." }];
      return callModel({ ...more, messages: [...kept, ...turns] });
    };
    return strict({ ...hands, callModel: planned });
  },
  "a title at the same time": async (hands) => {
    const [title, answer] = await Promise.all([whole(ask(hands, `A title for: ${hands.userInput}`)), strict(hands)]);
    return { title, answer };
  },
  "a guardrail at each turn": async (hands) => {
    const { callModel } = hands;
    const guarded = async (request: Record<string, unknown>) => {
      const reply = await callModel(request);
      await whole(ask(hands, `Is this safe? ${JSON.stringify(reply.content)}`));
      return reply;
    };
    return strict({ ...hands, callModel: guarded });
  },
  "a verifier after": async (hands) => {
    const answer = (await strict(hands)) as string;
    return { answer, verified: await whole(ask(hands, `Is this on topic? ${answer || "(empty)"}`)) };
  },
  "a verifier after, with the conversation": async (hands) => {
    const { callModel, tools, userInput } = hands;
    const messages: unknown[] = [{ role: "user", content: userInput }];
    for (let left = 12; left > 0; left--) {
      const reply = await callModel({ messages, tools });
      if (reply.content.length > 0) messages.push({ role: "assistant", content: reply.content });
      if (reply.stop_reason === "end_turn") {
        const verdict = await whole(callModel({ messages: [...messages, { role: "user", content: "Is that so?" }] }));
        return { answer: textOf(reply), verdict };
      }
      if (reply.stop_reason !== "tool_use") throw new Error(`Stopped: ${reply.stop_reason}`);
      messages.push({ role: "user", content: await resultsOf(hands, reply) });
    }
    throw new Error("Too many turns");
  },
  "an editor after, whose words are the answer": async (hands) => {
    const answer = (await strict(hands)) as string;
    return answer && whole(ask(hands, `Say this in plain words: ${answer}`));
  },
};

for (const tools of ["kit", "stubbed", "own"] as const) {
  test.each(Object.entries(LOOPS))(`%s (tools: ${tools}): nothing fails`, async (_name, agent) => {
    const told = [];
    for (const behaviour of behaviours) {
      const { verdict } = await playRow(behaviour, { agent, tools });
      if (verdict?.status === "fails") told.push([behaviour.id, verdict.message.en]);
    }
    expect(told).toEqual([]);
  });
}

/** After its answer it asks the same once more. */
const again = (request: (hands: Hands) => Record<string, unknown>): Agent => {
  return async (hands) => {
    const answer = await honest.strict!(hands);
    await hands.callModel({ messages: [{ role: "user", content: hands.userInput }], ...request(hands) });
    return answer;
  };
};

test("the question asked again with its tools is no aside: it begins anew, after the end", async () => {
  const rounds = behaviours[0]!;
  const anew = await playRow(rounds, { agent: again(({ tools }) => ({ tools })), tools: "stubbed" });
  expect(anew.verdict).toMatchObject({ status: "fails" });
  const beside = await playRow(rounds, { agent: again(() => ({})), tools: "stubbed" });
  expect(beside.verdict).toMatchObject({ status: "holds" });
});

test("a call beside the conversation that is repeated for ever is ended by counting, and told", async () => {
  const scenario = { ...openTestScript(), asides: true };
  const stops = stopsAt(null);
  const talk = converse(scenario);
  let sent = 0;
  while (stops(talk.trace, scenario) === null && sent < 1000) {
    talk.send({
      body: { model: "claude-haiku-5-5", max_tokens: 9, messages: [{ role: "user", content: "Orders or other?" }] },
    });
    sent += 1;
  }
  expect(sent).toBe(ASIDES_IN_A_ROW);
  const run = { ...(await play(honest.strict!, { scenario })), outcome: "looped" as const, kind: "asides" };
  expect(howItEnded(run).en).toContain("something else");
});

const TOOLS = [{ name: "find_order", input_schema: { type: "object", properties: { id: { type: "integer" } } } }];

/** With tools of its own. */
const owning =
  (agent: Agent): Agent =>
  (hands) =>
    agent({ ...hands, tools: TOOLS as never });

test("an audit takes the tools from the first request that offers any", async () => {
  const made = await audited(owning(LOOPS["a router before"]!));
  if (!made.ok) throw new Error(made.why.en);
  expect(made.report.tools.list.map(({ name }) => name)).toEqual(["find_order"]);
  expect(made.report.behaviours.filter(({ status }) => status === "fails")).toEqual([]);
});

test("with tools that it only comes to by some answers, an audit says what to do", async () => {
  const made = await audited(
    owning(async (hands) => {
      const route = await whole(ask(hands, hands.userInput));
      return route === "orders" ? strict(hands) : route;
    }),
  );
  if (made.ok) throw new Error("It was audited");
  for (const lang of LANGS) expect(made.why[lang]).toContain("--export");
});
