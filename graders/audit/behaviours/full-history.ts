import { askedBy, delivered } from "../../diagnoses/find/calls.ts";
import { contentText, historyText } from "../../diagnoses/find/requests.ts";
import { nonces } from "../../diagnoses/find/script.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import { isText, isToolResult, isToolUse } from "../../trace/api.ts";
import type { RequestEvent } from "../../trace/events.ts";
import type { Behaviour, Verdict } from "../behaviour.ts";
import {
  fails,
  faultIn,
  gotToTheEnd,
  holds,
  plural,
  rejectedAfter,
  repliesOf,
  requestsOf,
  unseen,
} from "../judging.ts";

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
    if (kept.length === asked.length && hasOpening) return last ? judgeWhole(run, last, asked) : unseen(run);
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

/** Every turn is there: whether what was said in them is, too. */
function judgeWhole(run: JudgedRun, last: RequestEvent, asked: readonly string[]): Verdict {
  const messages = last.history.length;
  const said = historyText(last);
  const mute = delivered(run.trace)
    .filter((reply) => askedBy(reply).length > 0)
    .filter((reply) => !nonces(run.scenario, reply).text.some((mark) => said.includes(mark))).length;
  if (mute > 0) {
    return fails(
      {
        es: `La última petición llevaba las llamadas de los ${asked.length} turnos, y en ${mute} faltaba lo que el modelo dijo junto a ellas: ya no ve por qué las pidió.`,
        en: `The last request carried the calls of all ${asked.length} turns, and in ${mute} what the model said beside them was missing: it no longer sees why it asked for them.`,
      },
      { severity: "advice", next: WHOLE_CONTENT },
    );
  }
  const changed = asked.filter((id) => {
    const first = requestsOf(run).find((request) => resultIn(request, id) !== null);
    return first !== undefined && resultIn(first, id) !== resultIn(last, id);
  }).length;
  if (changed > 0) {
    return holds({
      es: `Tras ${asked.length} turnos con herramientas, la última petición llevaba los ${messages} mensajes de la conversación, con ${plural(changed, "resultado anterior abreviado", "resultados anteriores abreviados")}.`,
      en: `After ${asked.length} turns with tools the last request carried all ${messages} messages of the conversation, ${plural(changed, "earlier result", "earlier results")} of it in other words than at first.`,
    });
  }
  return holds({
    es: `Tras ${asked.length} turnos con herramientas, la última petición llevaba los ${messages} mensajes de la conversación, enteros.`,
    en: `After ${asked.length} turns with tools the last request carried all ${messages} messages of the conversation, whole.`,
  });
}

const WHOLE_CONTENT = {
  es: "¿Qué bloques de `reply.content` guardas en el historial, y cuáles dejas fuera?",
  en: "Which blocks of `reply.content` do you keep in the history, and which do you leave out?",
};

/** What a request says is the result of a call; null where it has none. */
function resultIn({ history }: RequestEvent, id: string): string | null {
  const result = history
    .flatMap(({ content }) => content.filter(isToolResult))
    .find(({ tool_use_id }) => tool_use_id === id);
  return result === undefined ? null : contentText(result.content);
}

export default behaviour;
