import { endless, script, twoTurns } from "../testing/scripts.ts";
import preambleAsAnswer from "./preamble-as-answer.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";

const text = ({ content }: { content: readonly { type: string }[] }) =>
  (content as readonly { text?: string }[]).map((block) => block.text ?? "").join("");

lists(preambleAsAnswer, {
  has: [
    {
      name: "the text of the first reply",
      agent: loop({ on: () => false, answer: text }),
      ends: "returned",
      says: ["I will look.", "`read_logs`"],
    },
    {
      name: "the text after one turn",
      agent: loop({ on: (_, turn) => turn < 1, answer: (response) => ({ answer: text(response) }) }),
      says: ["I will restart it."],
    },
    {
      name: "the text at the cap",
      agent: loop({ on: (_, turn) => turn < 5, answer: text }),
      script: endless,
      says: ["Once more."],
    },
  ],
  hasNot: [
    ...honestly(script(twoTurns)),
    {
      name: "a Message says why by its stop_reason",
      agent: loop({ on: (_, turn) => turn < 5 }),
      script: endless,
      headline: null,
    },
    {
      name: "words of its own beside the text say why",
      agent: loop({
        on: (_, turn) => turn < 5,
        answer: (response) => `I gave up. The last I heard: ${text(response)}`,
      }),
      script: endless,
      headline: null,
    },
    {
      name: "a field beside the text says why",
      agent: loop({ on: (_, turn) => turn < 5, answer: (response) => ({ answer: text(response), stopped: "cap" }) }),
      script: endless,
      headline: null,
    },
  ],
});
