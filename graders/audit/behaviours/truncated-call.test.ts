import { callsOf, full, resultsOf, status, streaming, strict } from "../testing/honest.ts";
import { loop, runsAnyCall } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./truncated-call.ts";

/** It tells the model, by an error, that its call was cut off. */
const telling = loop({
  on: (reply) => callsOf(reply).length > 0,
  results: (hands, reply) =>
    reply.stop_reason === "tool_use"
      ? resultsOf(hands, reply)
      : callsOf(reply).map(({ id }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: "Your call was cut off",
          is_error: true,
        })),
});

rows(behaviour, {
  holds: [
    { name: "it asks for more room", agent: full, says: ["llegó a una respuesta entera"] },
    { name: "it throws", agent: strict },
    { name: "by streaming, with words that say so", agent: streaming },
    { name: "the Message, not a tool run", agent: loop({ answer: (reply) => reply }) },
    { name: "an error for the model", agent: telling },
    { name: "tools of its own", agent: status, tools: "own", says: ["solo se ven por sus resultados"] },
    { name: "it returns nothing", agent: loop({ answer: () => undefined }) },
  ],
  fails: [
    { name: "it runs whatever is there", agent: runsAnyCall, diagnosis: "truncated-tool-call-run", severity: "harms" },
    { name: "it runs whatever is there, tools of its own", agent: runsAnyCall, tools: "own", diagnosis: null },
    { name: "the words beside it", agent: loop(), severity: "harms" },
    {
      name: "it keeps the cut call and goes on",
      agent: loop({
        on: (reply) => reply.stop_reason === "max_tokens",
        results: () => [],
        keep: (reply) => [
          { role: "assistant", content: reply.content },
          { role: "user", content: "Go on." },
        ],
      }),
      severity: "breaks",
      says: ["tool_use"],
    },
  ],
  others: [
    { name: "no tools", agent: full, tools: "none", status: null },
    { name: "an error for the model, tools of its own", agent: telling, tools: "own", status: "not-observable" },
  ],
});
