import { full, library, streaming, textOf } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./thinking-first.ts";

const keeping = (types: readonly string[]) =>
  loop({
    keep: (reply, results) => [
      { role: "assistant", content: reply.content.filter(({ type }) => types.includes(type)) },
      { role: "user", content: results },
    ],
  });

rows(behaviour, {
  holds: [
    { name: "the turn as it came", agent: full },
    { name: "put together from a stream", agent: streaming },
    { name: "tools of its own", agent: library, tools: "own" },
    { name: "the text alone is returned", agent: loop() },
  ],
  fails: [
    { name: "it keeps calls and text", agent: keeping(["text", "tool_use"]), diagnosis: "dropped-thinking" },
    { name: "it keeps no encrypted thinking", agent: keeping(["thinking", "text", "tool_use"]) },
    {
      name: "in other words",
      agent: loop({
        keep: (reply, results) => [
          {
            role: "assistant",
            content: reply.content.map((block) =>
              block.type === "thinking" ? { ...block, thinking: block.thinking.slice(0, 5) } : block,
            ),
          },
          { role: "user", content: results },
        ],
      }),
      severity: "breaks",
      diagnosis: "rewritten-history",
    },
    {
      name: "without its signature",
      diagnosis: "rewritten-history",
      agent: loop({
        keep: (reply, results) => [
          {
            role: "assistant",
            content: reply.content.map((block) =>
              block.type === "thinking" ? { type: "thinking", thinking: block.thinking, signature: "" } : block,
            ),
          },
          { role: "user", content: results },
        ],
      }),
    },
    {
      name: "the first block is the answer",
      agent: loop({
        answer: (reply) => (reply.content[0] as unknown as Record<string, string>).thinking ?? textOf(reply),
      }),
      severity: "harms",
      diagnosis: "answer-not-returned",
    },
  ],
  others: [
    { name: "no tools", agent: full, tools: "none", status: null },
    { name: "it throws before it asks", agent: blank, status: "not-observable" },
  ],
});
