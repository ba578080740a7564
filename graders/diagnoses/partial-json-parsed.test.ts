import { script, threeAtOnce, twoTurns } from "../testing/scripts.ts";
import partialJsonParsed from "./partial-json-parsed.ts";
import { type Changes, honest, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const streaming: Changes["request"] = (request) => ({ ...request, stream: true });
/** Runs each tool with what a change makes of its input, as a loop does that puts a stream together by hand. */
const running = (change: (input: object) => unknown, more: Changes = {}) =>
  loop({
    request: streaming,
    result: async ({ id, name, input }, execute) => {
      const content = await execute(name, change(input as object)).catch((error: Error) => error.message);
      return { type: "tool_result", tool_use_id: id, content: JSON.stringify(content) };
    },
    ...more,
  });
const tail = script([
  {
    calls: [
      { tool: "read_logs", input: { service: "api", lines: 120, since: "noon" }, does: { returns: "log {{nonce}}" } },
    ],
  },
  { text: "All is well. {{nonce}}" },
]);
const noInput = script(
  [
    { calls: [{ tool: "list_services", input: {}, does: { returns: "api, db {{nonce}}" } }] },
    { text: "All is well. {{nonce}}" },
  ],
  { tools: [{ name: "list_services", description: "lists", input_schema: { type: "object", properties: {} } }] },
);

lists(partialJsonParsed, {
  has: [
    {
      name: "the input of the block's start, before anything has arrived",
      agent: running(() => ({})),
      script: tail,
      ends: "returned",
      says: ["la ejecutó sin ningún dato", '`{"service":"api","lines":120,"since":"noon"}`'],
      found: ["partial-json-parsed"],
    },
    {
      name: "what a patient parser makes of the first pieces",
      agent: running(() => ({ service: "api", lines: 12 })),
      script: tail,
      says: ['con `{"service":"api","lines":12}`'],
      found: ["partial-json-parsed"],
    },
    {
      name: "the start of a text",
      agent: running(() => ({ service: "a" })),
      script: script(twoTurns),
      found: ["partial-json-parsed"],
    },
    {
      name: "the last piece, unparsed",
      agent: running((input) => JSON.stringify(input).slice(5)),
      script: script(threeAtOnce),
      found: ["partial-json-parsed"],
    },
    {
      name: "the part stands in the history as well",
      agent: running(() => ({}), {
        assistant: ({ content }) => [
          {
            role: "assistant",
            content: content.map((block) => (block.type === "tool_use" ? { ...block, input: {} } : block)),
          },
        ],
      }),
      script: tail,
      found: ["partial-json-parsed"],
    },
    {
      name: "nothing catches what the tool says of it",
      agent: loop({
        request: streaming,
        result: async ({ id, name }, execute) => {
          return { type: "tool_result", tool_use_id: id, content: String(await execute(name, {})) };
        },
      }),
      script: tail,
      ends: "threw",
      found: ["partial-json-parsed"],
    },
    {
      name: "a tool without data: an empty text is no JSON",
      agent: running((input) => JSON.parse(JSON.stringify(input).slice(2))),
      script: noInput,
      ends: "threw",
      says: ["su único `partial_json` es un texto vacío", "`SyntaxError`"],
      found: ["partial-json-parsed"],
    },
    {
      name: "each piece is parsed by itself",
      agent: running((input) => JSON.parse(JSON.stringify(input).slice(0, 9))),
      script: tail,
      ends: "threw",
      says: ["none need be JSON"],
      found: ["partial-json-parsed"],
    },
  ],
  hasNot: [
    ...honestly(tail),
    { name: "a stream that is put together well", agent: running((input) => input), script: tail, headline: null },
    { name: "an empty input that is read as none", agent: running(() => undefined), script: noInput, headline: null },
    {
      name: "another input altogether",
      agent: running(() => ({ service: "db" })),
      script: tail,
      headline: "wrong-tool-input",
    },
    {
      name: "all of it, as a text",
      agent: running((input) => JSON.stringify(input)),
      script: tail,
      headline: "wrong-tool-input",
    },
    {
      name: "a part, but nothing was streamed",
      agent: running(() => ({}), { request: (request) => ({ ...request }) }),
      script: tail,
      headline: "wrong-tool-input",
    },
    {
      name: "what the tool gave is no JSON",
      agent: loop({
        request: streaming,
        result: async ({ id, name, input }, execute) => {
          return { type: "tool_result", tool_use_id: id, content: JSON.parse(await execute(name, input)) };
        },
      }),
      script: tail,
      headline: "threw",
    },
    { name: "an honest loop without a stream", agent: honest, script: noInput, headline: null },
  ],
});
