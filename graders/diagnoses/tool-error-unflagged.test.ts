import { approval, failingTool, flakyTool, noCall, script } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import toolErrorUnflagged from "./tool-error-unflagged.ts";

const plain = loop({
  result: async ({ id, name, input }, execute) => ({
    type: "tool_result",
    tool_use_id: id,
    content: await execute(name, input).catch((error: Error) => error.message),
  }),
});

const flagged = loop({
  result: async ({ id, name, input }, execute) => ({
    type: "tool_result",
    tool_use_id: id,
    ...(await execute(name, input).then(
      (content) => ({ content }),
      (error: Error) => ({ content: error.message, is_error: true }),
    )),
  }),
});
const call = (does: object) => ({ tool: "read_logs", input: { service: "api" }, does });
const alikeOneFails = [
  { calls: [call({ returns: "fine {{nonce}}" }), call({ throws: "disk full {{nonce}}" })] },
  ...noCall,
];

const madeUp = [{ calls: [{ tool: "reboot_planet", input: { planet: "mars" }, invented: true }] }, ...noCall];

lists(toolErrorUnflagged, {
  has: [
    {
      name: "a tool that does not exist, answered as if it had given a result",
      agent: plain,
      script: script(madeUp),
      ends: "returned",
      says: ["`reboot_planet` no existe", "Unknown tool"],
    },
    {
      name: "the error's text as the result",
      agent: plain,
      script: script(failingTool),
      ends: "returned",
      says: ["`read_logs` falló", "disk full"],
    },
    {
      name: "a refusal as an ordinary result",
      agent: loop({ result: ({ id }) => ({ type: "tool_result", tool_use_id: id, content: "Not now." }) }),
      script: script(approval),
      ends: "returned",
      says: ["`restart_service` no se ejecutó", "«Not now.»"],
      never: ["falló", "failed"],
    },
    {
      name: "of two calls that are alike one fails, and neither result says so",
      agent: plain,
      script: script(alikeOneFails),
    },
  ],
  hasNot: [
    ...honestly(script(failingTool)),
    ...honestly(script(madeUp)),
    ...honestly(script(alikeOneFails)),
    {
      name: "of two calls that are alike the failed one is flagged",
      agent: flagged,
      script: script(alikeOneFails),
      headline: null,
    },
    {
      name: "refused, and flagged",
      agent: loop({ result: ({ id }) => ({ type: "tool_result", tool_use_id: id, content: "No.", is_error: true }) }),
      script: script(approval),
      headline: null,
    },
    {
      name: "tried again until it worked",
      agent: loop({
        result: async ({ id, name, input }, execute) => {
          const again = (): Promise<unknown> => execute(name, input).catch(again);
          return { type: "tool_result", tool_use_id: id, content: String(await again()) };
        },
      }),
      script: script(flakyTool),
      headline: null,
    },
  ],
});
