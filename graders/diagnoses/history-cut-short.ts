import { isText, isToolUse } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import { askedById, delivered } from "./find/calls.ts";
import { toJson } from "./find/json.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { keepsOnlyTheEnd } from "./point/history.ts";
import { count, cut, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "history-cut-short",
  rank: 365,
  weight: "fault",
  exercise: "2.5",
  detect(run) {
    const found = promptless(run);
    if (found === null) return null;
    const { request } = found.exchange;
    const messages = count(request.history.length, ["mensaje", "mensajes"], ["message", "messages"]);
    const replies = count(found.replies, ["respuesta", "respuestas"], ["reply", "replies"]);
    return {
      turn: request.turn,
      at: keepsOnlyTheEnd(run.source) ?? request.at,
      headline: {
        es: "Recortaste el historial y se quedó sin la pregunta del usuario",
        en: "You trimmed the history and the user's question is gone from it",
      },
      detail: text([
        {
          es: `La conversación empezó con «${cut(found.prompt, 60)}». Tras ${replies.es} del modelo, enviaste ${messages.es} y el primero ya es un turno de \`assistant\`: la pregunta no está. `,
          en: `The conversation began with "${cut(found.prompt, 60)}". After ${replies.en} of the model you sent ${messages.en}, and the first is already an \`assistant\` turn: the question is not there. `,
        },
        {
          es: "La API lo acepta, y por eso no se nota. Pero el modelo no recuerda nada por su cuenta: ve llamadas y resultados sin saber para qué eran.",
          en: "The API accepts that, which is why it does not show. But the model remembers nothing by itself: it sees calls and results without knowing what they were for.",
        },
      ]),
      next: {
        es: "Imprime `messages[0]` justo antes de cada llamada al modelo: ¿cuándo deja de ser la pregunta?",
        en: "Print `messages[0]` just before each call of the model: when does it stop being the question?",
      },
    };
  },
};

interface Promptless {
  exchange: Exchange;
  prompt: string;
  /** How many replies the model had given by then. */
  replies: number;
}

/**
 * The first accepted request that goes on with the conversation and opens with a turn of the model: the question is neither
 * in it nor in its system prompt. One that opens with other words of the user may sum up what was: that is no loss.
 */
function promptless({ trace }: Run): Promptless | null {
  const [first, ...others] = exchanges(trace);
  const opening = first?.request.history[0];
  const prompt = opening?.role === "user" ? opening.content.find(isText)?.text : undefined;
  if (typeof prompt !== "string" || prompt.trim() === "") return null;
  for (const exchange of others) {
    const { request, reply } = exchange;
    if (reply?.kind === "rejection" || request.history[0]?.role !== "assistant" || !goesOn(request)) continue;
    if (holds(request, prompt)) continue;
    const replies = delivered(trace).filter(({ seq }) => seq < request.seq).length;
    return { exchange, prompt, replies };
  }
  return null;

  function goesOn(request: RequestEvent): boolean {
    const asked = askedById(trace, request.seq);
    return request.history.some(({ content }) => content.some((block) => isToolUse(block) && asked.has(block.id)));
  }
}

/** Whether the prompt is anywhere in what a request says to the model. */
function holds({ body, history }: RequestEvent, prompt: string): boolean {
  const words = toJson(prompt.trim()).slice(1, -1);
  return toJson([isRecord(body) ? body.system : null, history]).includes(words);
}

export default diagnosis;
