import { script, twoAtOnce } from "../testing/scripts.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import textBeforeToolResults from "./text-before-tool-results.ts";

const note = { type: "text", text: "A note." };

lists(textBeforeToolResults, {
  has: [
    {
      name: "a note first",
      agent: loop({ user: (results) => [{ role: "user", content: [note, ...results] }] }),
      says: ["`read_logs`"],
    },
    {
      name: "a note between two results",
      agent: loop({ user: (results) => [{ role: "user", content: [results[0], note, results[1]] }] }),
      script: script(twoAtOnce),
    },
    {
      name: "a note in a message of its own before them",
      agent: loop({
        user: (results) => [
          { role: "user", content: "A note." },
          { role: "user", content: results },
        ],
      }),
    },
  ],
  hasNot: [
    ...honestly(script(twoAtOnce)),
    {
      name: "a note last",
      agent: loop({ user: (results) => [{ role: "user", content: [...results, note] }] }),
      headline: null,
    },
  ],
});
