import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import { isDelivered } from "./find/calls.ts";
import { type Exchange, exchanges } from "./find/requests.ts";
import { count, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "budget-ignored",
  rank: 226,
  weight: "fault",
  exercise: "3.7",
  explains: ["no-iteration-cap", "off-by-one-cap"],
  detect(run) {
    const { budget } = run.scenario.options;
    const beyond = budget === null ? null : beyondBudget(run, budget);
    if (budget === null || beyond === null) return null;
    const { first, replies, used, more, usedInAll } = beyond;
    const given = count(replies, ["respuesta", "respuestas"], ["reply", "replies"]);
    const sent = count(more, ["llamada más", "llamadas más"], ["more request", "more requests"]);
    return {
      turn: first.request.turn,
      at: first.request.at,
      headline: {
        es: "El presupuesto de tokens ya estaba gastado y tu bucle siguió preguntando",
        en: "The token budget was already spent and your loop went on asking",
      },
      detail: text([
        {
          es: `Te dieron ${budget} tokens para toda la conversación. Con ${given.es} el \`usage\` de entrada y salida ya sumaba ${used}, y aun así tu bucle hizo ${sent.es} al modelo.`,
          en: `You were given ${budget} tokens for the whole conversation. With ${given.en} the \`usage\`, input and output, had come to ${used}, and still your loop sent ${sent.en}.`,
        },
        usedInAll > used
          ? { es: ` Al final iban ${usedInAll}.`, en: ` In the end it was ${usedInAll}.` }
          : { es: "", en: "" },
        {
          es: " El modelo no sabe de tu presupuesto: va a pedir herramientas mientras alguien le conteste.",
          en: " The model knows nothing of your budget: it will ask for tools as long as somebody answers.",
        },
      ]),
      next:
        more === 1
          ? {
              es: "¿En qué momento de la vuelta compara tu bucle lo gastado con el presupuesto: antes de preguntar o después?",
              en: "At which point of a lap does your loop compare what was spent with the budget: before it asks, or after?",
            }
          : {
              es: "¿Qué sumas de cada respuesta, y qué decide tu bucle con esa suma antes de volver a preguntar?",
              en: "What do you add up from each reply, and what does your loop decide with that sum before it asks again?",
            },
    };
  },
};

/** What was sent once the replies had used up the budget; null when nothing was. Another try of the same request counts. */
function beyondBudget({ trace }: Run, budget: number) {
  let used = 0;
  let replies = 0;
  let spent: { first: Exchange; replies: number; used: number } | null = null;
  let more = 0;
  // In the order of what happened: of requests made at once, only those begun after the last token was spent are too many.
  const byRequest = new Map(exchanges(trace).map((each) => [each.request, each]));
  for (const event of trace) {
    if (event.type === "request" && used >= budget) {
      spent ??= { first: byRequest.get(event)!, replies, used };
      more++;
    }
    if (event.type === "reply" && isDelivered(event)) {
      replies++;
      used += event.message.usage.input_tokens + event.message.usage.output_tokens;
    }
  }
  return spent === null ? null : { ...spent, more, usedInAll: used };
}

export default diagnosis;
