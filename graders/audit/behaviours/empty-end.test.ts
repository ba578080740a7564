import { full, library, printing, status, streaming, strict, textOf } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./empty-end.ts";

const isEmpty = ({ content }: { content: unknown[] }) => content.length === 0;

rows(behaviour, {
  holds: [
    { name: "the Message", agent: full },
    { name: "an empty text", agent: strict },
    { name: "by streaming", agent: streaming },
    { name: "a status, tools of its own", agent: status, tools: "own" },
    { name: "a library's result, no tools", agent: library, tools: "none" },
    { name: "printed", agent: printing },
    {
      name: "it says that nothing came",
      agent: loop({
        answer: (reply) => {
          if (isEmpty(reply)) throw new Error("The model said nothing");
          return textOf(reply);
        },
      }),
    },
    {
      name: "it asks once, in other words, to go on",
      agent: loop({
        on: (reply, turn) => reply.stop_reason === "tool_use" || (isEmpty(reply) && turn < 3),
        keep: (reply, results) =>
          isEmpty(reply)
            ? [{ role: "user", content: "Please continue." }]
            : [
                { role: "assistant", content: reply.content },
                { role: "user", content: results },
              ],
      }),
      says: ["tras pedirle 1 vez", "being asked once"],
    },
  ],
  fails: [
    {
      name: "it reads a text that is not there",
      agent: loop({ answer: (reply) => (reply.content[0] as { text: string }).text }),
      severity: "harms",
      says: ["TypeError"],
    },
    {
      name: "the empty turn goes back",
      agent: loop({
        on: (reply, turn) => reply.stop_reason === "tool_use" || (isEmpty(reply) && turn < 4),
        keep: (reply, results) => [
          { role: "assistant", content: reply.content },
          { role: "user", content: isEmpty(reply) ? "Please continue." : results },
        ],
      }),
      severity: "breaks",
    },
    {
      name: "the very same again",
      agent: loop({
        on: (reply, turn) => reply.stop_reason === "tool_use" || (isEmpty(reply) && turn < 4),
        keep: (reply, results) =>
          isEmpty(reply)
            ? []
            : [
                { role: "assistant", content: reply.content },
                { role: "user", content: results },
              ],
      }),
      severity: "harms",
      says: ["2 veces con lo mismo"],
    },
  ],
  others: [
    { name: "it throws before it asks", agent: blank, status: "not-observable" },
    {
      name: "it keeps no turn of the model",
      agent: loop({ keep: (_, results) => [{ role: "user", content: results }] }),
      status: "not-observable",
    },
  ],
});
