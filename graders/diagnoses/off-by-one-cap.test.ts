import type { Agent } from "../testing/play.ts";
import { endless, script, twoTurns } from "../testing/scripts.ts";
import offByOneCap from "./off-by-one-cap.ts";
import { type Changes, careful, loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const MAX = 5;
/** The first request, and one after each of so many laps. */
const laps = (count: number, more: Changes = {}) =>
  loop({ on: ({ stop_reason }, turn) => stop_reason === "tool_use" && turn < count, ...more });
const landing = (count: number) =>
  laps(MAX + 3, {
    request: ({ messages, tools }, turn) => (turn < count ? { messages, tools } : { messages }),
  });
const never = { script: endless, cap: MAX };

const comparing: Agent = async ({ callModel, executeTool, tools, userInput }) => {
  const messages: unknown[] = [{ role: "user", content: userInput }];
  for (let lap = 0; lap <= 5; lap++) {
    const response = await callModel({ messages, tools });
    messages.push({ role: "assistant", content: response.content });
    const results: unknown[] = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const content = String(await executeTool(block.name, block.input));
      results.push({ type: "tool_result", tool_use_id: block.id, content });
    }
    messages.push({ role: "user", content: results });
  }
  return { stopped: "cap", messages };
};

lists(offByOneCap, {
  has: [
    {
      name: "a lap for each of the cap, and the first request before them",
      agent: laps(MAX),
      ...never,
      ends: "returned",
      says: ["de 5 llamadas", "hizo 6 con herramientas", "reply 6"],
      found: ["off-by-one-cap"],
    },
    {
      name: "it throws one lap too late",
      agent: loop({
        on: (_, turn) => {
          if (turn > 4) throw Object.assign(new Error("cap"), { name: "AgentStopped" });
          return true;
        },
      }),
      ...never,
      ends: "threw",
    },
    { name: "one lap too many, and a soft landing after it", agent: landing(MAX + 1), ...never },
    {
      name: "the line of the comparison",
      agent: comparing,
      ...never,
      line: String(comparing).slice(0, String(comparing).indexOf("<=")).split("\n").length,
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    { name: "as many as the cap", agent: laps(MAX - 1), ...never, headline: null },
    { name: "fewer", agent: laps(2), ...never, headline: null },
    { name: "a soft landing", agent: landing(MAX), ...never, headline: null },
    { name: "a cap of its own, which is far larger", agent: laps(MAX + 4), ...never, headline: null },
    { name: "a careful loop with a cap of ten", agent: careful, script: endless, cap: 10, headline: null },
    { name: "an exercise that names no cap", agent: laps(MAX), script: endless, headline: null },
    { name: "a conversation that ends", agent: laps(MAX), script: script(twoTurns), cap: 2, headline: null },
    {
      name: "an accident in that lap",
      agent: laps(MAX, { answer: (response) => (response as unknown as { x: { y: number } }).x.y }),
      ...never,
      headline: "threw",
    },
    { name: "no cap at all", agent: laps(1000), ...never, headline: "no-iteration-cap" },
  ],
});
