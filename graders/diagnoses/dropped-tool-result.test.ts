import droppedToolResult from "./dropped-tool-result.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { script, threeAtOnce, twoAtOnce } from "./testing/scripts.ts";

lists(droppedToolResult, {
  has: [
    {
      name: "only the first call is run",
      agent: loop({ calls: (calls) => calls.slice(0, 1) }),
      script: script(twoAtOnce),
      says: ["nunca se ejecutó", "were found without `tool_result` blocks"],
    },
    {
      name: "all are run, one result is lost",
      agent: loop({ user: (results) => [{ role: "user", content: results.slice(0, 2) }] }),
      script: script(threeAtOnce),
      says: ["la herramienta sí se ejecutó", 'faltaba el resultado de `read_logs {"service":"web"}`'],
    },
    { name: "no result is sent, the turn is", agent: loop({ user: () => [] }), says: ["the tool did run"] },
    {
      name: "a plain text instead of the results",
      agent: loop({ user: (results) => [{ role: "user", content: String(results[0]?.content) }] }),
      says: ["`read_logs`"],
    },
    {
      name: "one result, a request, and then the next",
      agent: loop({
        calls: (calls) => calls.slice(0, 1),
        on: ({ content }) => content.some(({ type }) => type === "tool_use"),
      }),
      script: script(twoAtOnce),
    },
    {
      name: "the error is swallowed and the request sent again",
      agent: loop({ calls: (calls) => calls.slice(0, 1), retry: () => true }),
      script: script(twoAtOnce),
      ends: "retry-storm",
    },
  ],
  hasNot: [
    ...honestly(script(threeAtOnce)),
    {
      name: "text before the results",
      agent: loop({ user: (results) => [{ role: "user", content: [{ type: "text", text: "Here:" }, ...results] }] }),
      headline: "text-before-tool-results",
    },
    {
      name: "an id that nobody gave",
      agent: loop({
        user: (results) => [{ role: "user", content: results.map((result) => ({ ...result, tool_use_id: "x" })) }],
      }),
      headline: "wrong-tool-use-id",
    },
  ],
});
