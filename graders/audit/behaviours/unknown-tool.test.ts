import { callsOf, full, resultsOf, status, streaming } from "../testing/honest.ts";
import { loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./unknown-tool.ts";

const crashing = loop({
  results: (hands, reply) =>
    Promise.all(
      callsOf(reply).map(async ({ id, name, input }) => {
        const tool = hands.tools.find((each) => each.name === name);
        return {
          type: "tool_result",
          tool_use_id: id,
          content: `${tool!.name}: ${await hands.executeTool(name, input)}`,
        };
      }),
    ),
});

rows(behaviour, {
  holds: [
    { name: "an error for it", agent: full, says: ["is_error: true"] },
    { name: "an error for it, tools of its own", agent: status, tools: "own" },
    { name: "an error for it, with stand-ins", agent: streaming, tools: "stubbed" },
  ],
  fails: [
    { name: "it looks up what is not there", agent: crashing, diagnosis: "unknown-tool-crashes", severity: "harms" },
    { name: "it looks up what is not there, in a program", agent: crashing, tools: "own", clock: "real" },
    {
      name: "not flagged",
      agent: loop({
        results: async (hands, reply) => (await resultsOf(hands, reply)).map(({ is_error: _, ...each }) => each),
      }),
      severity: "advice",
    },
    {
      name: "it leaves it out",
      agent: loop({
        results: async (hands, reply) => (await resultsOf(hands, reply)).filter((each) => !each.is_error),
      }),
    },
    {
      name: "an empty result",
      agent: loop({
        results: async (hands, reply) =>
          (await resultsOf(hands, reply)).map(({ is_error: _, ...each }) => ({ ...each, content: "" })),
      }),
      says: ["un resultado vacío"],
    },
  ],
  others: [
    { name: "no tools", agent: full, tools: "none", status: null },
    {
      name: "it keeps no turn of the model",
      agent: loop({ keep: (_, results) => [{ role: "user", content: results }] }),
      status: "not-observable",
    },
  ],
});
