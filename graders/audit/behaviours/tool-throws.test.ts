import type { Hands } from "../../testing/play.ts";
import type { ApiMessage } from "../../trace/api.ts";
import { callsOf, full, resultsOf, streaming } from "../testing/honest.ts";
import { loop, stuckOnFirst } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./tool-throws.ts";

const careless = async ({ executeTool }: Hands, reply: ApiMessage) =>
  Promise.all(
    callsOf(reply).map(async ({ id, name, input }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: String(await executeTool(name, input)),
    })),
  );
const changed = (change: object) =>
  loop({
    results: async (hands, reply) => (await resultsOf(hands, reply)).map((result) => ({ ...result, ...change })),
  });

rows(behaviour, {
  holds: [
    { name: "flagged", agent: full },
    { name: "flagged, by streaming, with stand-ins", agent: streaming, tools: "stubbed" },
    { name: "in words of its own", agent: changed({ content: "The tool is down" }) },
  ],
  fails: [
    {
      name: "it is taken down",
      agent: loop({ results: careless }),
      diagnosis: "tool-error-crashes",
      severity: "harms",
    },
    {
      name: "not flagged",
      agent: changed({ is_error: false }),
      severity: "advice",
      diagnosis: "tool-error-unflagged",
    },
    { name: "an empty result", agent: changed({ is_error: false, content: "" }), severity: "harms" },
    { name: "flagged, and not a word", agent: changed({ content: "" }), diagnosis: "empty-error-result" },
    {
      name: "no result for it",
      agent: loop({
        results: async (hands, reply) => (await resultsOf(hands, reply)).filter((each) => !each.is_error),
      }),
    },
    {
      name: "no result for it, and an empty message",
      agent: loop({
        results: async (hands, reply) => (await resultsOf(hands, reply)).filter((each) => !each.is_error),
        keep: (reply, results) => [
          { role: "assistant", content: reply.content },
          { role: "user", content: results },
        ],
      }),
      severity: "breaks",
      diagnosis: "dropped-tool-result",
    },
    {
      name: "it tries again for ever",
      agent: loop({
        results: async (hands, reply) => {
          for (;;) {
            try {
              return await careless(hands, reply);
            } catch {
              // once more
            }
          }
        },
      }),
      diagnosis: "retry-storm",
    },
    {
      name: "it gives up without a word",
      agent: loop({ results: careless, failed: () => "Something" }),
      says: ["terminó después de 1 respuesta"],
    },
  ],
  others: [
    { name: "tools of its own", agent: full, tools: "own", status: "not-observable", says: ["--stub-tools"] },
    { name: "a program's own tools", agent: full, tools: "own", clock: "real", status: "not-observable" },
    { name: "no tools", agent: full, tools: "none", status: "not-applicable" },
    {
      name: "it keeps no turn of the model",
      agent: loop({ keep: (_, results) => [{ role: "user", content: results }] }),
      status: "not-observable",
    },
    { name: "it never reads a newer reply", agent: stuckOnFirst, status: "not-observable" },
  ],
});
