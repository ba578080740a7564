import { script, threeAtOnce, twoAtOnce } from "../testing/scripts.ts";
import malformedToolResult from "./malformed-tool-result.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

/** The honest loop, with results that have other fields. */
const bent = (change: object) =>
  loop({ user: (results) => [{ role: "user", content: results.map((result) => ({ ...result, ...change })) }] });

lists(malformedToolResult, {
  has: [
    {
      name: "a block without a type",
      agent: bent({ type: undefined }),
      says: ["un bloque sin `type`", "`read_logs`"],
      found: ["malformed-tool-result"],
    },
    { name: "an empty type", agent: bent({ type: "" }), says: ["cuyo `type` es"], found: ["malformed-tool-result"] },
    {
      name: "the type of another block",
      agent: bent({ type: "tool_use", name: "x", input: {} }),
      says: ['`"tool_use"`'],
    },
    { name: "a type of one's own", agent: bent({ type: "result" }), says: ['`"result"`'] },
    {
      name: "the block is the message's content",
      agent: loop({ user: ([result]) => [{ role: "user", content: result }] }),
      says: ["es él mismo el `content`"],
      found: ["malformed-tool-result"],
    },
    {
      name: "one of two",
      agent: loop({ user: ([first, second]) => [{ role: "user", content: [first, { ...second, type: undefined }] }] }),
      script: script(twoAtOnce),
      found: ["malformed-tool-result"],
    },
    {
      name: "the blocks are messages themselves",
      agent: loop({ user: (results) => results }),
      says: ["está suelto entre los mensajes", "stands loose among the messages"],
      found: ["malformed-tool-result"],
    },
    {
      name: "a list of blocks in the list",
      agent: loop({ user: (results) => [{ role: "user", content: [results] }] }),
      says: ["en una lista que va dentro de la lista"],
      found: ["malformed-tool-result"],
    },
    {
      name: "a promise of the list, of tools that have come back",
      agent: loop({ user: (results) => [{ role: "user", content: Promise.all(results) }] }),
      says: ["es `{}`", "una promesa sin `await`"],
      found: ["malformed-tool-result"],
    },
  ],
  hasNot: [
    {
      name: "a promise of the list, of tools that are still at work",
      agent: loop({
        result: ({ id, name, input }, execute) => ({
          of: execute(name, input).then((content) => ({
            type: "tool_result",
            tool_use_id: id,
            content: JSON.stringify(content),
          })),
        }),
        user: (results) => [{ role: "user", content: Promise.all(results.map(({ of }) => of)) }],
      }),
      headline: "unawaited-tool",
    },
    ...honestly(script(threeAtOnce)),
    {
      name: "results as text, without an id",
      agent: loop({ user: (results) => [{ role: "user", content: JSON.stringify(results) }] }),
      headline: "dropped-tool-result",
    },
    { name: "an id that nobody gave", agent: bent({ type: "x", tool_use_id: "x" }), headline: "dropped-tool-result" },
    { name: "the right form and the wrong id", agent: bent({ tool_use_id: "x" }), headline: "wrong-tool-use-id" },
  ],
});
