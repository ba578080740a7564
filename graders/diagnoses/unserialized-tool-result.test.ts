import { script, threeAtOnce } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import unserializedToolResult from "./unserialized-tool-result.ts";

const result = (write: (value: unknown) => unknown) =>
  loop({
    result: async ({ id, name, input }, execute) => ({
      type: "tool_result",
      tool_use_id: id,
      content: write(await execute(name, input)),
    }),
  });

lists(unserializedToolResult, {
  has: [
    {
      name: "an object",
      agent: result((value) => value),
      says: ["`restart_service`", '{"restarted":"api"', "Input should be a valid string"],
    },
    { name: "a number", agent: result(() => 42), says: ["`42`"] },
    { name: "a list of plain values", agent: result((value) => [value]) },
    {
      name: "an object in a template, which the API takes",
      agent: result((value) => `${value}`),
      ends: "returned",
      says: ["[object Object]"],
    },
  ],
  hasNot: [
    ...honestly(script(threeAtOnce)),
    { name: "nothing at all, which the API takes", agent: result(() => undefined), headline: "result-left-out" },
    { name: "text blocks", agent: result((value) => [{ type: "text", text: JSON.stringify(value) }]), headline: null },
  ],
});
