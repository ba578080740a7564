import { script, silentTurns, twoTurns } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import textOnlyHistory from "./text-only-history.ts";

const textOf = (content: readonly { type: string; text?: string }[]) =>
  content.map((block) => block.text ?? "").join("");

lists(textOnlyHistory, {
  has: [
    {
      name: "text alone, then the result",
      agent: loop({ assistant: ({ content }) => [{ role: "assistant", content: textOf(content as never) }] }),
      says: ["unexpected `tool_use_id`", "`read_logs`"],
      never: ["JSON"],
    },
    {
      name: "a turn without text leaves an empty one",
      agent: loop({ assistant: ({ content }) => [{ role: "assistant", content: textOf(content as never) }] }),
      script: script(silentTurns),
      says: ["`read_logs`"],
    },
    {
      name: "text alone, and the results as text: the API takes it",
      agent: loop({
        assistant: ({ content }) => [{ role: "assistant", content: textOf(content as never) }],
        user: (results) => [{ role: "user", content: results.map(({ content }) => `Result: ${content}`).join("\n") }],
      }),
      ends: "returned",
    },
    {
      name: "only the text blocks are kept",
      agent: loop({
        assistant: ({ content }) => [{ role: "assistant", content: content.filter(({ type }) => type === "text") }],
      }),
    },
    {
      name: "only the text blocks are kept of a turn without text",
      agent: loop({
        assistant: ({ content }) => [{ role: "assistant", content: content.filter(({ type }) => type === "text") }],
      }),
      script: script(silentTurns),
    },
    ...[twoTurns, silentTurns].map((turns) => ({
      name: "the whole reply written out as text",
      agent: loop({ assistant: (response) => [{ role: "assistant", content: JSON.stringify(response) }] }),
      script: script(turns),
      found: ["text-only-history"],
      says: ["un texto con el JSON de sus bloques", "a text with the JSON of its blocks"],
      never: ["guardaste el texto, pero no", "You kept the text of"],
    })),
    {
      name: "the blocks written out as text",
      agent: loop({ assistant: ({ content }) => [{ role: "assistant", content: JSON.stringify(content) }] }),
      says: ["un texto con el JSON de sus bloques"],
      never: ["guardaste el texto, pero no", "You kept the text of"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...honestly(script(silentTurns)),
    {
      name: "a turn without content: nothing of it was kept",
      agent: loop({ assistant: () => [{ role: "assistant" }] }),
      headline: "empty-message-pushed",
    },
    {
      name: "the calls alone, without their text",
      agent: loop({
        assistant: ({ content }) => [{ role: "assistant", content: content.filter(({ type }) => type === "tool_use") }],
      }),
      headline: null,
    },
  ],
});
