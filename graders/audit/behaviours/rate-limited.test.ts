import type { Agent } from "../../testing/play.ts";
import { full, status, streaming } from "../testing/honest.ts";
import { blank, loop } from "../testing/loops.ts";
import { rows } from "../testing/rows.ts";
import behaviour from "./rate-limited.ts";

/** It puts the question into the history with each attempt. */
const asksAnew: Agent = async (hands) => {
  const said: unknown[] = [];
  const ask = (request: Record<string, unknown>) => {
    said.push({ role: "user", content: hands.userInput });
    return hands.callModel({ ...request, messages: [...said, ...(request.messages as unknown[]).slice(1)] });
  };
  return loop({ retry: (_, times) => times < 3 })({ ...hands, callModel: ask });
};

/** After a failed attempt it cannot read the answer. */
const trips: Agent = async (hands) => {
  let failed = false;
  const retry = (_: Error, times: number) => {
    failed = true;
    return times < 3;
  };
  const answer = await loop({ retry })(hands);
  if (failed) throw new Error("jq: no such field");
  return answer;
};

rows(behaviour, {
  holds: [
    { name: "as the SDK does", agent: full, says: ["2 intentos"] },
    { name: "by streaming", agent: streaming },
    { name: "no tools", agent: full, tools: "none" },
    { name: "by itself", agent: loop({ retry: (_, times) => times < 3 }), attempts: 1 },
  ],
  fails: [
    {
      name: "it insists for ever",
      agent: loop({ retry: () => true }),
      attempts: 1,
      severity: "breaks",
      diagnosis: "retry-storm",
      run: 1,
    },
    {
      name: "it says the question again",
      agent: asksAnew,
      attempts: 1,
      severity: "harms",
      says: ["dos veces el mensaje del usuario", "the user's message twice"],
      next: "adds the user's message",
    },
    {
      name: "it got the answer and ended badly",
      agent: trips,
      attempts: 1,
      severity: "harms",
      says: ["then gave the answer", "jq: no such field"],
    },
    { name: "it throws at once", agent: loop(), attempts: 1, severity: "advice", diagnosis: "overload-not-retried" },
    { name: "it says so at once", agent: status, attempts: 1, severity: "advice" },
    {
      name: "it swallows it",
      agent: loop({ failed: () => "All is well." }),
      attempts: 1,
      severity: "harms",
      says: ["Nada de eso dice que hubo un error"],
    },
    {
      name: "it trips over it",
      agent: loop({ failed: () => (undefined as unknown as string).length }),
      attempts: 1,
      severity: "harms",
    },
  ],
  others: [
    { name: "it throws before it asks", agent: blank, status: "not-observable" },
    { name: "it returns nothing", agent: loop({ failed: () => undefined }), attempts: 1, status: "not-observable" },
  ],
});
