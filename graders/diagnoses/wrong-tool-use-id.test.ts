import { noCall, script, threeAtOnce, twoAtOnce } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import wrongToolUseId from "./wrong-tool-use-id.ts";

const relabel = (ids: (index: number, own: string[]) => unknown) =>
  loop({
    user: (results) => [
      {
        role: "user",
        content: results.map((result, index) => ({
          ...result,
          tool_use_id: ids(
            index,
            results.map((each) => String(each.tool_use_id)),
          ),
        })),
      },
    ],
  });

const log = { tool: "read_logs", input: { service: "api" }, does: { returns: "fine {{nonce}}" } };

lists(wrongToolUseId, {
  has: [
    { name: "the tool's name as id", agent: relabel(() => "read_logs"), says: ['`"read_logs"`', "El modelo esperaba"] },
    {
      name: "no id at all",
      agent: relabel(() => undefined),
      says: ["no lleva ningún id", "carries no id."],
      never: ["que ninguna respuesta", "no reply", "de otra llamada"],
    },
    {
      name: "the message's id",
      agent: loop({
        user: (results, { id }) => [
          { role: "user", content: results.map((result) => ({ ...result, tool_use_id: id })) },
        ],
      }),
      says: ["no es el de ningún `tool_use`"],
      never: ["ninguna respuesta del modelo dio"],
    },
    {
      name: "the first id for both",
      agent: relabel((_, own) => own[0]),
      script: script(twoAtOnce),
      says: ["`read_logs` se queda sin respuesta"],
    },
    {
      name: "two values under each other's id, which the API takes",
      agent: relabel((index, own) => own[1 - index]),
      script: script(twoAtOnce),
      ends: "returned",
      says: ['{"service":"db"}'],
    },
    {
      name: "two values in a table by the name of their tool, and the id is right",
      agent: async (hands) => {
        const outputs: Record<string, unknown> = {};
        return loop({
          user: (results) => [
            { role: "user", content: results.map((result) => ({ ...result, content: outputs.read_logs })) },
          ],
          result: async ({ id, name, input }, execute) => {
            outputs[name] = await execute(name, input);
            return { type: "tool_result", tool_use_id: id };
          },
        })(hands);
      },
      script: script(twoAtOnce),
      says: ['{"service":"api"}'],
      never: ["De dónde sale el `tool_use_id`"],
      line: null,
    },
  ],
  hasNot: [
    ...honestly(script(threeAtOnce)),
    {
      name: "both were run with the input of the first: the ids are right",
      agent: loop({
        result: async ({ id, name }, execute) => ({
          type: "tool_result",
          tool_use_id: id,
          content: await execute(name, { service: "api" }),
        }),
      }),
      script: script(twoAtOnce),
      headline: "wrong-tool-input",
    },
    {
      name: "two calls that are alike, each with the other's result",
      agent: relabel((index, own) => own[1 - index]),
      script: script([{ calls: [log, log] }, ...noCall]),
      headline: null,
    },
    {
      name: "results in another order",
      agent: loop({ user: (results) => [{ role: "user", content: results.toReversed() }] }),
      script: script(threeAtOnce),
      headline: null,
    },
    {
      name: "a result less",
      agent: loop({ user: (results) => [{ role: "user", content: results.slice(1) }] }),
      script: script(threeAtOnce),
      headline: "dropped-tool-result",
    },
  ],
});
