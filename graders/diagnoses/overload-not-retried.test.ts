import type { Agent } from "../testing/play.ts";
import { failingOnce, overloadedOnce, script, silentTurns } from "../testing/scripts.ts";
import overloadNotRetried from "./overload-not-retried.ts";
import { honest } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const down = script([...Array.from({ length: 12 }, () => ({ fault: 529 })), { text: "Hello {{nonce}}" }]);

/** It listens to one reply and ends in what it makes of the words that came. */
const streaming =
  (end: (said: string) => unknown): Agent =>
  async ({ stream, tools, userInput }) => {
    let said = "";
    try {
      for await (const { delta } of stream({ messages: [{ role: "user", content: userInput }], tools })) {
        said += (delta as { text?: string } | undefined)?.text ?? "";
      }
    } catch {
      // It broke off.
    }
    return end(said);
  };

lists(overloadNotRetried, {
  has: [
    {
      name: "one attempt and no more",
      agent: honest,
      attempts: 1,
      script: script(overloadedOnce),
      ends: "threw",
      says: ["1 vez", "Overloaded"],
    },
    {
      name: "a timeout on the server's side",
      agent: honest,
      attempts: 1,
      script: script(failingOnce(504)),
      says: ["timed out"],
    },
    {
      name: "after the tools were run, and wrapped in a reason",
      agent: async (hands) => honest(hands).catch((error: Error) => ({ stopped: error.message })),
      attempts: 1,
      script: script([...silentTurns.slice(0, 1), { fault: 429 }, ...silentTurns.slice(1)]),
      ends: "returned",
    },
    {
      name: "a stream that broke off before there was a word, and nothing handed on",
      agent: streaming(() => ""),
      script: script([{ fault: 529, midStream: true }, ...silentTurns]),
      ends: "returned",
      says: ["In the middle of the stream the API said", "Overloaded"],
      never: ["200"],
      found: ["overload-not-retried"],
    },
  ],
  hasNot: [
    ...[400, 401, 403, 413].map((status) => ({
      name: `a ${status}, which no waiting mends`,
      agent: honest,
      script: script(failingOnce(status)),
      ends: "threw",
      headline: null,
    })),
    ...honestly(script(overloadedOnce)),
    {
      name: "a stream that broke off, handed on with the reason",
      agent: streaming((said) => ({ partial: said, stopped: "the stream broke" })),
      script: script([{ fault: "cut" }, { text: "Hello {{nonce}}" }]),
      headline: null,
    },
    { name: "a server that stays down", agent: honest, script: down, headline: null },
  ],
});
