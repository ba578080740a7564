import { isText, isToolResult, isToolUse } from "../../trace/api.ts";
import type { Behaviour } from "../behaviour.ts";
import { fails, faultIn, gotToTheEnd, holds, rejectedAfter, repliesOf, requestsOf, unseen } from "../judging.ts";

const OWN = [
  "history-cut-short",
  "orphaned-tool-result",
  "rewritten-history",
  "text-only-history",
  "missing-assistant-turn",
  "turns-out-of-order",
];

const TURNS = 6;

/** More turns than a window of a few messages holds. */
const behaviour: Behaviour = {
  id: "full-history",
  order: 30,
  title: {
    es: "Lleva la conversación entera en cada petición",
    en: "Carries the whole conversation in every request",
  },
  severity: "harms",
  scenarios: (cast) => {
    const turns = Array.from({ length: TURNS }).flatMap(() => {
      const call = cast.call();
      return call ? [{ text: { es: "Un paso más. {{nonce}}", en: "One step more. {{nonce}}" }, calls: [call] }] : [];
    });
    if (turns.length === 0) return null;
    const end = { text: { es: "Con esto termino. {{nonce}}", en: "That completes it. {{nonce}}" } };
    return [cast.script({ es: "Una conversación larga", en: "A long conversation" }, [...turns, end])];
  },
  judge: ([run]) => {
    if (run === undefined) return unseen(run);
    const own = faultIn([run], OWN);
    if (own !== null) return own;
    if (!gotToTheEnd(run)) {
      const isLate = repliesOf(run).length > TURNS / 2;
      return (isLate && rejectedAfter(run, null)) || unseen(run);
    }
    const end = repliesOf(run).find(({ final }) => final);
    const last = requestsOf(run).find(({ seq }) => seq === end?.request);
    const blocks = last?.history.flatMap(({ content }) => content) ?? [];
    const asked = repliesOf(run).flatMap(({ message }) => message.content.filter(isToolUse).map(({ id }) => id));
    const kept = asked.filter(
      (id) =>
        blocks.some((block) => isToolUse(block) && block.id === id) &&
        blocks.some((block) => isToolResult(block) && block.tool_use_id === id),
    );
    const opening = requestsOf(run)[0]?.history[0]?.content.find(isText)?.text;
    const hasOpening = opening === undefined || blocks.some((block) => isText(block) && block.text === opening);
    const messages = last?.history.length ?? 0;
    if (kept.length === asked.length && hasOpening) {
      return holds({
        es: `Tras ${asked.length} turnos con herramientas, la última petición llevaba los ${messages} mensajes de la conversación.`,
        en: `After ${asked.length} turns with tools the last request carried all ${messages} messages of the conversation.`,
      });
    }
    const lost = hasOpening ? { es: "", en: "" } : { es: " y sin la pregunta", en: " and without the question" };
    return fails(
      {
        es: `La última petición llevaba ${kept.length} de los ${asked.length} turnos con herramientas${lost.es}: el modelo ya no ve el resto.`,
        en: `The last request carried ${kept.length} of the ${asked.length} turns with tools${lost.en}: the model no longer sees the rest.`,
      },
      { severity: "advice" },
    );
  },
};

export default behaviour;
