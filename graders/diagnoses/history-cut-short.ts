import { isText, isToolUse } from "../trace/api.ts";
import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import type { RequestEvent, Trace } from "../trace/events.ts";
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { type Asked, askedById, delivered, namesOf } from "./find/calls.ts";
import { toJson } from "./find/json.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { keepsOnlyTheEnd } from "./point/history.ts";
import { count, cut, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "history-cut-short",
  rank: 365,
  weight: "fault",
  exercise: "2.5",
  detect(run) {
    const promptless = withoutPrompt(run);
    if (promptless !== null) return questionGone(run, promptless);
    const shortened = run.demands?.includes("whole-history") ? withoutTurns(run) : null;
    return shortened === null ? null : turnsGone(run, shortened);
  },
};

function questionGone(run: Run, { exchange: { request }, prompt, replies: number }: Promptless): Finding {
  const messages = messagesIn(request);
  const replies = count(number, ["respuesta", "respuestas"], ["reply", "replies"]);
  return {
    turn: request.turn,
    at: keepsOnlyTheEnd(run.source) ?? request.at,
    headline: {
      es: "Recortaste el historial y se quedó sin la pregunta del usuario",
      en: "You trimmed the history and the user's question is gone from it",
    },
    detail: text([
      {
        es: `La conversación empezó con «${cut(prompt, 60)}». Tras ${replies.es} del modelo, enviaste ${messages.es} y el primero ya es un turno de \`assistant\`: la pregunta no está. `,
        en: `The conversation began with "${cut(prompt, 60)}". After ${replies.en} of the model you sent ${messages.en}, and the first is already an \`assistant\` turn: the question is not there. `,
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
}

function turnsGone(run: Run, { exchange: { request }, lost }: Cut): Finding {
  const messages = messagesIn(request);
  const which = names(namesOf(lost));
  const one = lost.length === 1;
  return {
    turn: request.turn,
    at: keepsOnlyTheEnd(run.source) ?? request.at,
    headline: {
      es: "El historial que enviaste ya no lleva los turnos anteriores",
      en: "The history you sent no longer holds the earlier turns",
    },
    detail: {
      es: `Una petición anterior llevaba ${one ? "la llamada" : "las llamadas"} a ${which.es}. En esta enviaste ${messages.es}, y ahí ya no ${one ? "está" : "están"}, ni lo que se le respondió al modelo. La API lo acepta, y por eso no se nota. Pero el modelo no recuerda nada por su cuenta: lo que no viaja, para él no ha pasado.`,
      en: `An earlier request held the ${one ? "call" : "calls"} of ${which.en}. In this one you sent ${messages.en}, and ${one ? "it is" : "they are"} no longer there, nor what the model was answered. The API accepts that, which is why it does not show. But the model remembers nothing by itself: what does not travel has not happened, as far as it can tell.`,
    },
    next: {
      es: "Imprime `messages.length` antes de cada llamada al modelo: ¿crece en cada vuelta?",
      en: "Print `messages.length` before each call of the model: does it grow with every turn?",
    },
  };
}

function messagesIn({ history }: RequestEvent): Text {
  return count(history.length, ["mensaje", "mensajes"], ["message", "messages"]);
}

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
function withoutPrompt({ trace }: Run): Promptless | null {
  const [first, ...others] = exchanges(trace);
  const opening = first?.request.history[0];
  const prompt = opening?.role === "user" ? opening.content.find(isText)?.text : undefined;
  if (typeof prompt !== "string" || prompt.trim() === "") return null;
  for (const exchange of others) {
    const { request, reply } = exchange;
    if (reply?.kind === "rejection" || request.history[0]?.role !== "assistant" || !goesOn(trace, request)) continue;
    if (holds(request, prompt)) continue;
    const replies = delivered(trace).filter(({ seq }) => seq < request.seq).length;
    return { exchange, prompt, replies };
  }
  return null;
}

interface Cut {
  exchange: Exchange;
  /** The calls that are gone. */
  lost: Asked[];
}

/** The first accepted request that goes on with the conversation and lacks calls that a request before it held. */
function withoutTurns({ trace }: Run): Cut | null {
  const held = new Set<string>();
  for (const exchange of exchanges(trace)) {
    const { request, reply } = exchange;
    const asked = askedById(trace, request.seq);
    const here = callsIn(request).filter((id) => asked.has(id));
    const lost = [...held].filter((id) => !here.includes(id)).flatMap((id) => asked.get(id) ?? []);
    if (here.length > 0 && lost.length > 0 && reply?.kind !== "rejection") return { exchange, lost };
    for (const id of here) held.add(id);
  }
  return null;
}

/** Whether a request holds a call of a reply of the model's. */
function goesOn(trace: Trace, request: RequestEvent): boolean {
  const asked = askedById(trace, request.seq);
  return callsIn(request).some((id) => asked.has(id));
}

function callsIn({ history }: RequestEvent): string[] {
  return history.flatMap(({ content }) => content.filter(isToolUse).map(({ id }) => id));
}

/** Whether the prompt is anywhere in what a request says to the model. */
function holds({ body, history }: RequestEvent, prompt: string): boolean {
  const words = toJson(prompt.trim()).slice(1, -1);
  return toJson([isRecord(body) ? body.system : null, history]).includes(words);
}

export default diagnosis;
