import { script, threeAtOnce, twoTurns } from "../testing/scripts.ts";
import splitToolResults from "./split-tool-results.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(splitToolResults, {
  has: [
    {
      name: "a message for each result, which the API takes",
      agent: loop({ user: (results) => results.map((result) => ({ role: "user", content: [result] })) }),
      script: script(threeAtOnce),
      ends: "returned",
      says: ["3 mensajes de `user` seguidos", "`read_logs` y `restart_service`"],
    },
  ],
  hasNot: [
    ...honestly(script(threeAtOnce)),
    {
      name: "one call a turn, each in its message",
      agent: loop({ user: (results) => results.map((result) => ({ role: "user", content: [result] })) }),
      script: script(twoTurns),
      headline: null,
    },
    {
      name: "a note after the results in a message of its own",
      agent: loop({
        user: (results) => [
          { role: "user", content: results },
          { role: "user", content: "Go on." },
        ],
      }),
      script: script(threeAtOnce),
      headline: null,
    },
  ],
});
