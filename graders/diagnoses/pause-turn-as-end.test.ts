import { oneTurn, script } from "../testing/scripts.ts";
import pauseTurnAsEnd from "./pause-turn-as-end.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { attentive, attentively, telling } from "./testing/stops.ts";

const text = ({ content }: { content: readonly { type: string }[] }) =>
  (content as readonly { text?: string }[]).map((block) => block.text ?? "").join("");

const pause = { text: "I am searching. {{nonce}}", stopReason: "pause_turn" };
const paused = script([pause, { text: "All is well. {{nonce}}" }]);
const afterTools = script([oneTurn[0], pause, { text: "All is well. {{nonce}}" }]);
const silent = script([{ ...pause, text: undefined }, { text: "All is well. {{nonce}}" }].map(withoutUndefined));
const many = script([...Array.from({ length: 8 }, () => pause), { text: "All is well. {{nonce}}" }]);

function withoutUndefined(reply: object) {
  return Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== undefined));
}

/** It sends paused turns back, five times at most. */
const patient = (answer: (response: { content: readonly { type: string }[] }) => unknown) => {
  let left = 5;
  return loop({
    on: ({ stop_reason }) => stop_reason === "tool_use" || (stop_reason === "pause_turn" && left-- > 0),
    user: (results) => (results.length > 0 ? [{ role: "user", content: results }] : []),
    answer,
  });
};

lists(pauseTurnAsEnd, {
  has: [
    {
      name: "the text of the paused turn",
      agent: loop({ answer: text }),
      script: paused,
      ends: "returned",
      says: ["I am searching.", "`pause_turn`", "`web_search`", "srvtoolu_"],
      found: ["pause-turn-as-end"],
    },
    {
      name: "the whole Message: a pause is no reason to give up",
      agent: loop({}),
      script: paused,
      says: ["tu función terminó ahí", "`web_search`"],
      found: ["pause-turn-as-end"],
    },
    { name: "after a turn of tools", agent: loop({}), script: afterTools, found: ["pause-turn-as-end"] },
    { name: "a paused turn without a word", agent: loop({ answer: text }), script: silent },
    { name: "nothing is returned", agent: loop({ answer: () => undefined }), script: afterTools },
    { name: "words of the paused turn after a cap of pauses", agent: patient(text), script: many },
  ],
  hasNot: [
    ...honestly(script(oneTurn)),
    ...[attentive, telling].flatMap((agent) =>
      [paused, afterTools, silent, many].map((each) => ({
        name: `${agent.name}, an honest loop`,
        agent,
        script: each,
        headline: null,
      })),
    ),
    ...attentively(script(oneTurn)),
    {
      name: "it throws, for it does not know the stop reason",
      agent: loop({
        answer: ({ stop_reason }) => {
          throw Object.assign(new Error(`stopped by ${stop_reason}`), { name: "AgentStopped" });
        },
      }),
      script: paused,
      headline: null,
    },
    {
      name: "a field says why",
      agent: loop({ answer: (response) => ({ response, stopped: "paused" }) }),
      script: paused,
      headline: null,
    },
    { name: "the Message after a cap of pauses", agent: patient((response) => response), script: many, headline: null },
  ],
});
