import { oneTurn, refusing, script } from "../testing/scripts.ts";
import refusalAsAnswer from "./refusal-as-answer.ts";
import { loop } from "./testing/agents.ts";
import { honestly, lists } from "./testing/check.ts";
import { attentively } from "./testing/stops.ts";

const text = ({ content }: { content: readonly { type: string }[] }) =>
  (content as readonly { text?: string }[]).map((block) => block.text ?? "").join("");

const midway = script([oneTurn[0], { text: "To break in, first {{nonce}}", stopReason: "refusal" }]);

lists(refusalAsAnswer, {
  has: [
    {
      name: "the text of a refusal",
      agent: loop({ answer: text }),
      script: script(refusing),
      ends: "returned",
      says: ["No.", "`refusal`"],
      found: ["refusal-as-answer"],
    },
    {
      name: "half an answer that was declined on its way",
      agent: loop({ answer: (response) => [{ type: "text", text: text(response) }] }),
      script: midway,
      says: ["To break in, first"],
      found: ["refusal-as-answer"],
    },
  ],
  hasNot: [
    ...honestly(script(oneTurn)),
    ...attentively(script(refusing)),
    ...attentively(midway),
    { name: "the Message", agent: loop({}), script: midway, headline: null },
    {
      name: "a field beside the text says why",
      agent: loop({ answer: (response) => ({ text: text(response), status: "refused" }) }),
      script: midway,
      headline: null,
    },
    {
      name: "the text itself says so",
      agent: loop({ answer: (response) => `El modelo se negó: ${text(response)}` }),
      script: midway,
      headline: null,
    },
  ],
});
