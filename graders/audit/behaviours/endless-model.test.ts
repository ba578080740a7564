import type { ApiMessage } from "../../trace/api.ts";
import { callsOf, library, printing, resultsOf, softCap, strict, textOf } from "../testing/honest.ts";
import { loop, stuckOnFirst } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./endless-model.ts";

/** The last so many messages, once there are more; at its cap it throws. */
const windowOf = (size: number, cap = 20, failed?: (error: Error) => unknown) =>
  loop({
    cap,
    failed,
    request: ({ messages, tools }) => ({ messages: messages.slice(-size), tools }),
    answer: (reply) => {
      if (reply.stop_reason === "tool_use") throw new Error(`Gave up after ${cap} turns`);
      return textOf(reply);
    },
  });

rows(behaviour, {
  holds: [
    { name: "a window that its cap comes before", agent: windowOf(22, 10) },
    { name: "it throws at its cap", agent: strict, says: ["12 llamadas", "12 calls"] },
    { name: "a last word without tools", agent: softCap, says: ["11 llamadas"] },
    { name: "a finish reason", agent: library, tools: "own" },
    {
      name: "a call still open",
      agent: loop({ cap: 9, answer: (reply) => ({ text: textOf(reply), finishReason: "tool-calls" }) }),
    },
    { name: "a line that says so", agent: printing },
    {
      name: "the messages, with a call still open",
      agent: loop({ cap: 9, answer: (reply, _, all) => [...all, reply] }),
    },
    {
      name: "a reason in a field",
      agent: loop({ cap: 9, answer: () => ({ stopped: "max turns" }) }),
      says: ["stopped"],
    },
    {
      name: "the last words, and beside them that it took the most turns",
      agent: loop({ cap: 9, answer: (reply) => ({ text: textOf(reply), status: "max_turns" }) }),
      says: ["max_turns"],
    },
    {
      name: "words of its own, whatever they say",
      agent: loop({ cap: 9, answer: () => "I am done." }),
      says: ["un texto suyo: `I am done.`", "a text of its own: `I am done.`"],
    },
    {
      name: "words of its own after the model's",
      agent: loop({ cap: 9, answer: (reply) => `${textOf(reply)}\n(Ask me once more.)` }),
      says: ["a text of its own"],
    },
  ],
  fails: [
    ...[15, 17, 21].map((size) => ({
      name: `a window of ${size} messages, which cuts a pair late`,
      agent: windowOf(size),
      severity: "breaks" as const,
      diagnosis: "orphaned-tool-result",
      says: ["«El modelo nunca termina»", 'in the conversation "The model never ends"'],
    })),
    {
      name: "a window that cuts a pair late, and the rejection in words of its own",
      agent: windowOf(15, 20, () => ({ error: "Something went wrong" })),
      severity: "breaks",
      diagnosis: "orphaned-tool-result",
    },
    {
      name: "a window that cuts a pair late, and nothing is said of it",
      agent: windowOf(15, 20, () => ""),
      severity: "breaks",
      diagnosis: "orphaned-tool-result",
    },
    ...[14, 20, 30].map((size) => ({
      name: `a window of ${size} messages, which forgets the question late`,
      agent: windowOf(size),
      severity: "harms" as const,
      diagnosis: "history-cut-short",
      says: ["«El modelo nunca termina»"],
    })),
    {
      name: "a window that forgets the question late, tools of its own",
      agent: windowOf(20),
      tools: "own",
      severity: "harms",
      diagnosis: "history-cut-short",
    },
    ...[null, undefined, " "].map((nothing) => ({
      name: `nothing at its cap alone: ${JSON.stringify(nothing)}`,
      agent: loop({ cap: 9, answer: (reply) => (reply.stop_reason === "tool_use" ? nothing : textOf(reply)) }),
      severity: "advice" as const,
      diagnosis: "cap-returns-nothing",
      says: ["Se detuvo tras 9 llamadas", "does not learn why"],
    })),
    {
      name: "it shuts the process down at its cap",
      agent: loop({ cap: 9 }),
      ended: { outcome: "crashed", kind: "exited" },
      severity: "harms",
      diagnosis: "exited",
    },
    {
      name: "it never stops",
      agent: loop({ cap: 1000 }),
      severity: "breaks",
      diagnosis: "no-iteration-cap",
      says: ["61 respuestas"],
    },
    { name: "it never stops, tools of its own", agent: loop({ cap: 1000 }), tools: "own", severity: "breaks" },
    {
      name: "the words beside an earlier call",
      agent: loop({
        cap: 9,
        answer: (_, __, all) =>
          textOf(all.find((message) => (message as ApiMessage).role === "assistant") as ApiMessage),
      }),
      severity: "harms",
    },
    {
      name: "all that was said, each with the call it stood beside",
      agent: async (hands) => {
        const lines: string[] = [];
        await loop({
          cap: 9,
          results: (_, reply) => {
            lines.push(textOf(reply), `-> ${callsOf(reply)[0]?.name}(${lines.length})`);
            return resultsOf(hands, reply);
          },
        })(hands);
        return lines.join("\n");
      },
      severity: "harms",
    },
    {
      name: "the words beside the last call",
      agent: loop({ cap: 9 }),
      severity: "harms",
      diagnosis: null,
      says: ["Se detuvo tras 9 llamadas"],
    },
  ],
  others: [
    {
      name: "it shuts the process down, whatever is asked",
      agent: loop({ cap: 9 }),
      ended: { outcome: "crashed", kind: "exited" },
      endedPlainly: true,
      status: "not-observable",
    },
    {
      name: "it never returns anything",
      agent: loop({ cap: 9, answer: () => null }),
      status: "not-observable",
      says: ["cannot be seen from here"],
    },
    { name: "no tools", agent: loop(), tools: "none", status: null },
    { name: "one round and no more", agent: loop({ on: (_, turn) => turn === 1 }), status: "not-observable" },
    { name: "it never reads a newer reply", agent: stuckOnFirst, status: "not-observable" },
  ],
});
