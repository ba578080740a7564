import { callsOf, resultsOf, status, streaming } from "../testing/honest.ts";
import { loop, stuckOnFirst } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./parallel-calls.ts";

rows(behaviour, {
  holds: [
    { name: "all of them at once", agent: loop() },
    { name: "by streaming", agent: streaming, says: ["dos resultados juntos", "both results together"] },
    { name: "tools of its own", agent: status, tools: "own" },
    {
      name: "newest result first",
      agent: loop({ results: async (hands, reply) => (await resultsOf(hands, reply)).reverse() }),
    },
  ],
  fails: [
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
