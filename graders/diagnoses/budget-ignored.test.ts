import { endless, script, twoTurns } from "../testing/scripts.ts";
import type { ApiMessage } from "../trace/api.ts";
import budgetIgnored from "./budget-ignored.ts";
import { honest, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const BUDGET = 1500;
const limited = { ...(endless as object), options: { budget: BUDGET } };

/** Adds up what each reply used, and gives up once the sum is so large. */
const counting = (most: number, of = ({ usage }: ApiMessage) => usage.input_tokens + usage.output_tokens) => {
  let used = 0;
  return loop({
    on: (response) => {
      used += of(response);
      return response.stop_reason === "tool_use" && used < most;
    },
    answer: (response) => ({ stopped: "budget", response }),
  });
};
/** One that looks only once it has asked. */
const tooLate = () => {
  let used = 0;
  return loop({
    on: ({ usage }) => {
      const goesOn = used < BUDGET;
      used += usage.input_tokens + usage.output_tokens;
      return goesOn;
    },
    answer: () => ({ stopped: "budget" }),
  });
};

lists(budgetIgnored, {
  has: [
    {
      name: "a loop that never looks",
      agent: honest,
      script: limited,
      cap: 10,
      ends: "no-iteration-cap",
      says: ["Te dieron 1500 tokens", "llamadas más al modelo", "In the end it was"],
      found: ["budget-ignored"],
    },
    {
      name: "only what comes out is counted",
      agent: counting(BUDGET, ({ usage }) => usage.output_tokens),
      script: limited,
      ends: "returned",
    },
    {
      name: "it looks after the request",
      agent: tooLate(),
      script: limited,
      says: ["hizo 1 llamada más al modelo"],
    },
    {
      name: "a conversation that ends, beyond what was given",
      agent: honest,
      script: script(twoTurns, { options: { budget: 10 } }),
      says: ["Con 1 respuesta ", "2 llamadas más al modelo"],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    ...honestly(script(twoTurns, { options: { budget: 100_000 } })),
    { name: "it stops in time", agent: counting(BUDGET), script: limited, headline: null },
    { name: "it keeps something back", agent: counting(BUDGET / 2), script: limited, headline: null },
    { name: "no budget was given", agent: honest, script: endless, cap: 10, headline: "no-iteration-cap" },
  ],
});
