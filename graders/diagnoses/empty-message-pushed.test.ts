import { emptyEnd, script, truncated } from "../testing/scripts.ts";
import emptyMessagePushed from "./empty-message-pushed.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(emptyMessagePushed, {
  has: [
    {
      name: "no results to send after a truncated reply",
      agent: loop({ on: ({ stop_reason }) => stop_reason !== "end_turn" }),
      script: script(truncated),
      says: ["`max_tokens`", "non-empty content"],
    },
    {
      name: "an empty question",
      agent: loop({ request: ({ tools }) => ({ messages: [{ role: "user", content: "" }], tools }) }),
      says: ["text content blocks must be non-empty"],
    },
    {
      name: "an empty end pushed before a new question",
      agent: async (hands) => {
        const first = await loop({
          answer: (response, messages) => [...messages, { role: "assistant", content: response.content }],
        })(hands);
        return hands.callModel({
          messages: [...(first as unknown[]), { role: "user", content: "Please continue" }],
          tools: hands.tools,
        });
      },
      script: script(emptyEnd),
      headline: "kept-going-after-end",
    },
    {
      name: "a turn of the model without content",
      agent: loop({ assistant: () => [{ role: "assistant" }] }),
      says: ["no lleva `content`", "messages.1.content: Field required"],
      never: ["sin decir nada", "without a word"],
      found: ["empty-message-pushed"],
    },
  ],
  hasNot: [
    ...honestly(script(emptyEnd)),
    {
      name: "results lost in an empty message",
      agent: loop({ user: () => [{ role: "user", content: [] }] }),
      headline: "dropped-tool-result",
    },
  ],
});
