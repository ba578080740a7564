import type { Agent } from "../../testing/play.ts";
import type { ToolUseBlock } from "../../trace/api.ts";
import { callsOf, gather, resultsOf, status, streaming } from "../testing/honest.ts";
import { loop, stuckOnFirst } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./parallel-calls.ts";

/** The results of a turn, each under the name of its tool. */
const byName = loop({
  results: async (hands, reply) => {
    const results = await resultsOf(hands, reply);
    const named = Object.fromEntries(callsOf(reply).map(({ name }, place) => [name, results[place]]));
    return callsOf(reply).map(({ id, name }) => ({ ...named[name], tool_use_id: id }));
  },
});

/** A call with what was run for the first one that is alike. */
const once = (alike: (call: ToolUseBlock) => string) =>
  loop({
    results: async (hands, reply) => {
      const run = new Map<string, Promise<Record<string, unknown>[]>>();
      return Promise.all(
        callsOf(reply).map(async (call) => {
          const key = alike(call);
          if (!run.has(key)) run.set(key, resultsOf(hands, { content: [call] }));
          return { ...(await run.get(key))![0], tool_use_id: call.id };
        }),
      );
    },
  });

/** The pieces of all inputs in one place: of two, none can be read. */
const joinsInputs: Agent = (hands) =>
  loop()({
    ...hands,
    callModel: async (request) => {
      const reply = await gather(hands.stream(request));
      const calls = callsOf(reply);
      if (calls.length > 1) for (const call of calls) call.input = {};
      return reply;
    },
  });

const altered = (change: (result: Record<string, unknown>) => Record<string, unknown>) =>
  loop({
    results: async (hands, reply) => (await resultsOf(hands, reply)).map((each) => ({ ...each, ...change(each) })),
  });

rows(behaviour, {
  holds: [
    { name: "twins answered from one run", agent: once(({ name, input }) => JSON.stringify([name, input])) },
    { name: "all of them at once", agent: loop() },
    { name: "by streaming", agent: streaming, says: ["dos resultados juntos", "both results together"] },
    { name: "tools of its own", agent: status, tools: "own" },
    {
      name: "newest result first",
      agent: loop({ results: async (hands, reply) => (await resultsOf(hands, reply)).reverse() }),
    },
  ],
  fails: [
    { name: "results kept by the tool's name", agent: byName, diagnosis: "wrong-tool-use-id", run: 1 },
    { name: "one run for each tool", agent: once(({ name }) => name), severity: "harms", run: 1 },
    { name: "inputs that ran together in the stream", agent: joinsInputs, diagnosis: "partial-json-parsed", run: 0 },
    {
      name: "results cut to a few characters",
      agent: altered(({ content }) => ({ content: String(content).slice(0, 3) })),
      diagnosis: "result-left-out",
    },
    {
      name: "every result an error",
      agent: altered(() => ({ is_error: true })),
      severity: "harms",
      says: ["`is_error: true`", "ran well"],
    },
    {
      name: "it trips over what a stand-in gives",
      agent: altered(() => ({ is_error: true, content: "Error: Cannot use 'in' operator to search for 'ok' in done" })),
      tools: "stubbed",
      severity: "advice",
      says: ["A stand-in gives a text"],
    },
    {
      name: "it takes the first call alone",
      agent: loop({ results: async (hands, reply) => (await resultsOf(hands, reply)).slice(0, 1) }),
      diagnosis: "dropped-tool-result",
    },
    {
      name: "it takes the first call alone, and the tools are its own",
      agent: loop({ results: async (hands, reply) => (await resultsOf(hands, reply)).slice(0, 1) }),
      tools: "own",
      diagnosis: "dropped-tool-result",
    },
    {
      name: "a message for each result",
      agent: loop({
        keep: (reply, results) => [
          { role: "assistant", content: reply.content },
          ...results.map((result) => ({ role: "user", content: [result] })),
        ],
      }),
      diagnosis: "split-tool-results",
      severity: "advice",
    },
    {
      name: "every result under the last id",
      agent: loop({
        results: async (hands, reply) => {
          const results = await resultsOf(hands, reply);
          return results.map((result) => ({ ...result, tool_use_id: results.at(-1)!.tool_use_id }));
        },
      }),
    },
    {
      name: "it will not have two",
      agent: loop({
        results: (hands, reply) => {
          if (callsOf(reply).length > 1) throw new Error("One tool at a time");
          return resultsOf(hands, reply);
        },
      }),
      says: ["One tool at a time"],
      severity: "harms",
    },
  ],
  others: [
    { name: "no tools", agent: loop(), tools: "none", status: null },
    {
      name: "it asks for one call at a time",
      agent: loop({
        request: (request) => ({ ...request, tool_choice: { type: "auto", disable_parallel_tool_use: true } }),
      }),
      status: "not-applicable",
    },
    { name: "it never reads a newer reply", agent: stuckOnFirst, status: "not-observable" },
    {
      name: "it runs one and turns the other down",
      agent: loop({
        results: async (hands, reply) => [
          ...(await resultsOf(hands, { content: callsOf(reply).slice(0, 1) })),
          ...callsOf(reply)
            .slice(1)
            .map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "One at a time", is_error: true })),
        ],
      }),
      status: "not-observable",
      says: ["no se ejecutó", "`One at a time`"],
    },
    {
      name: "it keeps the text alone",
      agent: loop({ keep: (_, results) => [{ role: "user", content: results }] }),
      status: "not-observable",
    },
  ],
});
