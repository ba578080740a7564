import { script, twoAtOnce, twoTurns } from "../testing/scripts.ts";
import duplicateToolResult from "./duplicate-tool-result.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const kept: Record<string, unknown>[] = [];

lists(duplicateToolResult, {
  has: [
    {
      name: "each result twice",
      agent: loop({ user: (results) => [{ role: "user", content: [...results, ...results] }] }),
      says: ["Found multiple", "`read_logs`"],
    },
    {
      name: "a list of results that is never emptied",
      agent: loop({
        user: (results, _, turn) => {
          if (turn === 1) kept.length = 0;
          kept.push(...results);
          return [{ role: "user", content: [...kept] }];
        },
      }),
      script: script(twoTurns),
      says: ["ya estaba respondido", "`read_logs`"],
      found: ["duplicate-tool-result"],
    },
    {
      name: "one list of results, the same in every message",
      agent: loop({
        user: (results, _, turn) => {
          if (turn === 1) kept.length = 0;
          kept.push(...results);
          return [{ role: "user", content: kept }];
        },
      }),
      script: script(twoTurns),
      says: ["ya estaba respondido", "`read_logs`"],
      found: ["duplicate-tool-result"],
    },
    {
      name: "a result that also stands before its turn",
      agent: loop({
        assistant: () => [],
        user: (results, { content }) => [
          { role: "user", content: results },
          { role: "assistant", content },
          { role: "user", content: results },
        ],
      }),
      says: ["otra más arriba, donde nadie lo había pedido", "once further up"],
      found: ["duplicate-tool-result"],
    },
  ],
  hasNot: [
    ...honestly(script(twoAtOnce)),
    {
      name: "one id for two results",
      agent: loop({
        user: (results) => [
          { role: "user", content: results.map((result) => ({ ...result, tool_use_id: results[0]?.tool_use_id })) },
        ],
      }),
      script: script(twoAtOnce),
      headline: "wrong-tool-use-id",
    },
  ],
});
