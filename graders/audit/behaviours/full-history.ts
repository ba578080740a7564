import { askedBy, delivered, markOf, ran } from "../../diagnoses/find/calls.ts";
import { toJson } from "../../diagnoses/find/json.ts";
import { contentText, historyText } from "../../diagnoses/find/requests.ts";
import { nonces } from "../../diagnoses/find/script.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import { isText, isToolResult, isToolUse } from "../../trace/api.ts";
import type { RequestEvent } from "../../trace/events.ts";
import { isRecord } from "../../trace/json.ts";
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
    const hasQuestion = last === undefined || holdsQuestion(run, last);
    if (kept.length === asked.length && hasQuestion) return last ? judgeWhole(run, last, asked) : unseen(run);
    if (!hasQuestion && !sumsUp(run, last)) return fails(QUESTION_GONE, { next: QUESTION });
    const lost = hasQuestion ? { es: "", en: "" } : { es: " y sin la pregunta", en: " and without the question" };
    return fails(
      {
        es: `La última petición llevaba ${kept.length} de los ${asked.length} turnos con herramientas${lost.es}: el modelo ya no ve el resto.`,
        en: `The last request carried ${kept.length} of the ${asked.length} turns with tools${lost.en}: the model no longer sees the rest.`,
      },
      { severity: "advice" },
    );
  },
};

/** Whether the question is anywhere in what a request says, within other words too; as the first request said it, where that had its own words. */
function holdsQuestion(run: JudgedRun, last: RequestEvent): boolean {
  const [first] = requestsOf(run);
  if (first === undefined) return true;
  const { userInput } = run.scenario;
  const opening = first.history[0]?.content.find(isText)?.text;
  const question = wordsOf(first).includes(asJson(userInput)) ? userInput : opening;
  return typeof question !== "string" || wordsOf(last).includes(asJson(question));
}

/** Whether a request has, outside of the turns themselves, anything that was said or done in them: then that may sum up the question, too. */
function sumsUp(run: JudgedRun, { body, history }: RequestEvent): boolean {
  const user = history.filter(({ role }) => role === "user").flatMap(({ content }) => content.filter(isText));
  const told = toJson([isRecord(body) ? body.system : null, user]);
  const said = delivered(run.trace).flatMap((reply) => nonces(run.scenario, reply).text);
  const done = ran(run.trace).flatMap(({ result }) => markOf(result?.outcome));
  const results = requestsOf(run)
    .flatMap((request) => request.history.flatMap(({ content }) => content.filter(isToolResult)))
    .map(({ content }) => asJson(contentText(content)));
  return [...said, ...done, ...results].some((words) => words !== "" && told.includes(words));
}

function wordsOf({ body, history }: RequestEvent): string {
  return toJson([isRecord(body) ? body.system : null, history]);
}

function asJson(words: string): string {
  return toJson(words.trim()).slice(1, -1);
}

const QUESTION_GONE = {
  es: "La pregunta del usuario ya no está en la última petición, y nada en ella la resume: el modelo ve llamadas y resultados sin saber para qué eran.",
  en: "The user's question is no longer in the last request, and nothing in it sums it up: the model sees calls and results without knowing what they were for.",
};
const QUESTION = {
  es: "Imprime los `messages` de cada petición: ¿en cuál deja de estar la pregunta, y qué la quita?",
  en: "Print the `messages` of each request: in which of them is the question gone, and what takes it out?",
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
