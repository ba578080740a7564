import { oneTurn, script } from "../testing/scripts.ts";
import neverSettles from "./never-settles.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

lists(neverSettles, {
  has: [
    {
      name: "a promise of its own that nobody resolves",
      agent: () => new Promise(() => {}),
      ends: "never-settles",
      says: ["`resolve`"],
      never: ["Lo último", "The last thing"],
      line: 1,
    },
    {
      name: "a tool that has answered is not what is waited for: the promise round it is",
      agent: loop({
        result: ({ name, input }, execute) =>
          new Promise((_resolve, reject) => {
            execute(name, input).catch(reject);
          }),
      }),
      script: script(oneTurn),
      ends: "never-settles",
      says: [
        "Lo último que hizo fue ejecutar `read_logs`, que ya terminó",
        "was to run `read_logs`, which has finished",
      ],
      // The text of this agent is that of `loop`, which holds no such promise.
      line: null,
    },
    {
      name: "the model has answered, and the loop waits for an event",
      agent: async ({ callModel, tools, userInput }) => {
        let open: unknown;
        await callModel({ messages: [{ role: "user", content: userInput }], tools });
        await new Promise((resolve) => {
          open = resolve;
        });
        return open;
      },
      ends: "never-settles",
      says: ["fue una llamada al modelo, que ya tiene respuesta", "was to call the model, which has answered"],
      line: null,
    },
  ],
  hasNot: honestly(),
});
