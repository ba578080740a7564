import { failingTool, flakyTool, sameTwice, script, twoAtOnce, twoTurns } from "../testing/scripts.ts";
import resultFlaggedAsError from "./result-flagged-as-error.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const flagging = (is_error: boolean, say: (output: unknown) => unknown = JSON.stringify) =>
  loop({
    result: async ({ id, name, input }, execute) => {
      const content = await execute(name, input).then(say, (error: Error) => error.message);
      return { type: "tool_result", tool_use_id: id, content, is_error };
    },
  });
const returning = (returns: unknown) =>
  script([{ calls: [{ tool: "read_logs", input: { service: "api" }, does: { returns } }] }, ...twoTurns.slice(-1)]);
const oneFails = script([
  {
    calls: [
      {
        tool: "read_logs",
        input: { service: "api" },
        does: [{ throws: "busy {{nonce}}" }, { returns: "log {{nonce}}" }],
      },
      {
        tool: "read_logs",
        input: { service: "api" },
        does: [{ throws: "busy {{nonce}}" }, { returns: "log {{nonce}}" }],
      },
    ],
  },
  ...twoTurns.slice(-1),
]);

lists(resultFlaggedAsError, {
  has: [
    {
      name: "every result is flagged",
      agent: flagging(true),
      ends: "returned",
      says: ["`read_logs` devolvió", "`read_logs` gave", "log of api"],
      found: ["result-flagged-as-error"],
    },
    {
      name: "as a list of blocks",
      agent: flagging(true, (output) => [{ type: "text", text: JSON.stringify(output) }]),
      says: ["log of api"],
    },
    { name: "of two calls at once", agent: flagging(true), script: script(twoAtOnce) },
    { name: "of two calls that are alike", agent: flagging(true), script: script(sameTwice) },
    {
      name: "the flag that a failure set is never taken back",
      agent: async (hands) => {
        let is_error = false;
        return loop({
          result: async ({ id, name, input }, execute) => {
            const content = await execute(name, input).catch((error: Error) => {
              is_error = true;
              return error.message;
            });
            return { type: "tool_result", tool_use_id: id, content: JSON.stringify(content), is_error };
          },
        })(hands);
      },
      script: script([...failingTool.slice(0, 1), ...twoTurns]),
      says: ["log of api"],
    },
    {
      name: "the flag is in sight",
      agent: async ({ callModel, executeTool, tools, userInput }) => {
        const messages: unknown[] = [{ role: "user", content: userInput }];
        let response = await callModel({ messages, tools });
        while (response.stop_reason === "tool_use") {
          messages.push({ role: "assistant", content: response.content });
          for (const block of response.content) {
            if (block.type !== "tool_use") continue;
            const content = JSON.stringify(await executeTool(block.name, block.input));
            const result = { type: "tool_result", tool_use_id: block.id, content, is_error: true };
            messages.push({ role: "user", content: [result] });
          }
          response = await callModel({ messages, tools });
        }
        return response;
      },
      line: 22,
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...honestly(script(failingTool)),
    ...honestly(script(flakyTool)),
    ...honestly(oneFails),
    { name: "is_error: false on what went well", agent: flagging(false), headline: null },
    { name: "a tool that failed", agent: flagging(true), script: script(failingTool), headline: null },
    {
      name: "of two calls that are alike one failed",
      agent: loop({
        result: async ({ id, name, input }, execute) =>
          execute(name, input).then(
            (output) => ({ type: "tool_result", tool_use_id: id, content: output }),
            (error: Error) => ({ type: "tool_result", tool_use_id: id, content: error.message, is_error: true }),
          ),
      }),
      script: oneFails,
      headline: null,
    },
    {
      name: "a value that tells of an error",
      agent: flagging(true),
      script: returning({ ok: false, error: "no such service ({{nonce}})" }),
      headline: null,
    },
    {
      name: "the host finds fault with a value, in words of its own",
      agent: flagging(true, () => "The tool gave something that cannot be read."),
      headline: null,
    },
  ],
});
