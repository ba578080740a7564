/** Loops with one habit of their own; all else as an honest one does it. */
import type { Agent, Hands } from "../../testing/play.ts";
import type { ApiMessage } from "../../trace/api.ts";
import { callsOf, resultsOf, textOf } from "./honest.ts";

type Loose = Record<string, unknown>;

export interface Habits {
  /** Whether it goes on after a reply. */
  on?(reply: ApiMessage, turn: number): boolean;
  /** The results of a turn. */
  results?(hands: Hands, reply: ApiMessage): Promise<Loose[]> | Loose[];
  /** The messages that keep a turn and answer it. */
  keep?(reply: ApiMessage, results: Loose[], messages: readonly unknown[]): unknown[];
  /** What goes out. */
  request?(request: { messages: unknown[]; tools: unknown }, turn: number): Loose;
  /** What it returns. */
  answer?(reply: ApiMessage, hands: Hands, messages: readonly unknown[]): unknown;
  /** Whether a failed request is sent again. */
  retry?(error: Error, times: number): boolean;
  /** What it returns when a request fails for good; it throws when left out. */
  failed?(error: Error): unknown;
  cap?: number;
}

/** Returns the bare text; keeps no promise about any stop reason but `tool_use`. */
export function loop(habits: Habits = {}): Agent {
  return async (hands) => {
    const { callModel, tools, userInput } = hands;
    const messages: unknown[] = [{ role: "user", content: userInput }];
    const ask = async (turn: number): Promise<ApiMessage> => {
      for (let times = 1; ; times++) {
        try {
          return await callModel(habits.request?.({ messages: [...messages], tools }, turn) ?? { messages, tools });
        } catch (error) {
          if (!habits.retry?.(error as Error, times)) throw error;
        }
      }
    };
    try {
      let reply = await ask(0);
      for (let turn = 1; habits.on?.(reply, turn) ?? reply.stop_reason === "tool_use"; turn++) {
        if (turn >= (habits.cap ?? 20)) break;
        const results = await (habits.results ?? resultsOf)(hands, reply);
        const kept = habits.keep?.(reply, results, messages) ?? [
          { role: "assistant", content: reply.content },
          ...(results.length > 0 ? [{ role: "user", content: results }] : []),
        ];
        messages.push(...kept);
        reply = await ask(turn);
      }
      return habits.answer ? habits.answer(reply, hands, messages) : textOf(reply);
    } catch (error) {
      if (habits.failed) return habits.failed(error as Error);
      throw error;
    }
  };
}

/** Runs whatever calls there are, whatever the reply ended with. */
export const runsAnyCall: Agent = loop({ on: (reply) => callsOf(reply).length > 0 });

/** It never reads a newer reply than the first: what it does, it does for ever. */
export const stuckOnFirst: Agent = async (hands) => {
  const { callModel, tools, userInput } = hands;
  const messages: unknown[] = [{ role: "user", content: userInput }];
  const reply = await callModel({ messages, tools });
  while (reply.stop_reason === "tool_use") {
    messages.push(
      { role: "assistant", content: reply.content },
      { role: "user", content: await resultsOf(hands, reply) },
    );
    await callModel({ messages: [messages[0]], tools });
  }
  return textOf(reply);
};

/** It keeps its messages outside of itself, for whoever comes next. */
export function sharing(cap = Number.POSITIVE_INFINITY): Agent {
  const messages: unknown[] = [];
  return async (hands) => {
    messages.push({ role: "user", content: hands.userInput });
    let reply = await hands.callModel({ messages, tools: hands.tools });
    for (let turn = 0; reply.stop_reason === "tool_use" && turn < cap; turn++) {
      messages.push({ role: "assistant", content: reply.content });
      messages.push({ role: "user", content: await resultsOf(hands, reply) });
      reply = await hands.callModel({ messages, tools: hands.tools });
    }
    messages.push({ role: "assistant", content: reply.content });
    return textOf(reply);
  };
}

/** It counts the turns of all its conversations together, up to its cap. */
export function counting(most = 12): Agent {
  let turns = 0;
  return loop({
    cap: Number.POSITIVE_INFINITY,
    on: ({ stop_reason }) => {
      if (++turns > most) throw new Error(`Gave up after ${most} turns`);
      return stop_reason === "tool_use";
    },
  });
}

/** Gives up before it has asked for anything. */
export const blank: Agent = () => {
  throw new Error("No key is set");
};
