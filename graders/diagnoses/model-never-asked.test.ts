import { endless, script, twoTurns } from "../testing/scripts.ts";
import modelNeverAsked from "./model-never-asked.ts";
import { honestly, lists } from "./testing/check.ts";

lists(modelNeverAsked, {
  has: [
    { name: "nothing at all", agent: async () => undefined, ends: "returned", found: ["model-never-asked"] },
    {
      name: "a request put together and not sent",
      agent: async ({ userInput, tools }) => ({ messages: [{ role: "user", content: userInput }], tools }),
      found: ["model-never-asked"],
    },
    {
      name: "tools run on its own account",
      agent: async ({ executeTool, userInput }) =>
        String(await executeTool("read_logs", { service: userInput }).catch(String)),
      says: ["`read_logs`"],
      headline: "model-never-asked",
    },
    { name: "of a conversation without end too", agent: async () => "done", script: endless },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    {
      name: "it threw before it got there",
      agent: async () => {
        throw new TypeError("x is not a function");
      },
      headline: "threw",
    },
    { name: "it waits for ever", agent: () => new Promise(() => {}), headline: "never-settles" },
    {
      name: "asked without waiting for it",
      agent: async ({ callModel, userInput }) => {
        void callModel({ messages: [{ role: "user", content: userInput }] });
      },
    },
  ],
});
