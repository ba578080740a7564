import { oneTurn, script, threeAtOnce } from "../testing/scripts.ts";
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
    {
      name: "an object in a text block",
      agent: result((value) => [{ type: "text", text: String(value) }]),
      ends: "returned",
      says: ["String"],
    },
    {
      name: "a text wrapped in an object, and that turned into text",
      agent: result((value) => String({ value })),
      script: script(oneTurn),
      never: ["La herramienta devolvió un objeto", "The tool returned an object"],
    },
    {
      name: "what a tool returned is read as JSON, and is an object",
      agent: result((value) => {
        try {
          return JSON.parse(value as string);
        } catch (error) {
          return (error as Error).message;
        }
      }),
      script: script(threeAtOnce.map((turn) => ("calls" in turn ? { calls: turn.calls.slice(1, 2) } : turn))),
    },
  ],
  hasNot: [
    ...honestly(script(threeAtOnce)),
    {
      name: "an error that quotes an object which no tool gave",
      agent: loop({
        result: ({ id, input }) => {
          try {
            return { type: "tool_result", tool_use_id: id, content: JSON.parse(input as unknown as string) };
          } catch (error) {
            return { type: "tool_result", tool_use_id: id, content: (error as Error).message, is_error: true };
          }
        },
      }),
    },
    {
      name: "a log that says so itself",
      agent: result((value) => (typeof value === "string" ? value : JSON.stringify(value))),
      script: script([
        {
          calls: [
            { tool: "read_logs", input: { service: "api" }, does: { returns: "GET /[object Object] 404 {{nonce}}" } },
          ],
        },
        ...oneTurn.slice(1),
      ]),
      headline: null,
    },
    { name: "nothing at all, which the API takes", agent: result(() => undefined), headline: "result-left-out" },
    { name: "text blocks", agent: result((value) => [{ type: "text", text: JSON.stringify(value) }]), headline: null },
  ],
});
