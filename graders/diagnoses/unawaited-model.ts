import type { Diagnosis } from "../trace/diagnosis.ts";
import { settled } from "./find/answer.ts";
import { askedBy, delivered, namesOf, ran } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { unawaitedModelCall } from "./point/patterns.ts";
import { code, cut, names, onLine } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "unawaited-model",
  rank: 300,
  weight: "fault",
  exercise: "2.3",
  explains: [
    "stopped-early",
    "answer-not-returned",
    "preamble-as-answer",
    "text-only-history",
    "empty-message-pushed",
    "uncaught",
  ],
  detect(run) {
    const end = settled(run.trace);
    if (end === null) return null;
    const headline = {
      es: "Tu bucle usó la respuesta del modelo antes de que llegara",
      en: "Your loop used the model's reply before it had arrived",
    };
    const next = {
      es: "¿Qué devuelve `callModel`: un mensaje, o la promesa de un mensaje?",
      en: "What does `callModel` return: a message, or the promise of a message?",
    };
    const late = exchanges(run.trace).find(({ request }) => request.seq > end.seq);
    if (late && delivered(run.trace).every(({ seq }) => seq > end.seq)) {
      const spot = unawaitedModelCall(run.source) ?? late.request.at ?? run.at;
      const how =
        end.error === null
          ? { es: "terminó sin esperarla", en: "ended without waiting for it" }
          : {
              es: `leyó algo que aún no tenía y falló: ${code(end.error.name)}, «${cut(end.error.message, 160)}»`,
              en: `read something that was not there yet and failed: ${code(end.error.name)}, "${cut(end.error.message, 160)}"`,
            };
      return {
        turn: 0,
        at: spot,
        headline,
        detail: {
          es: `La petición salió${onLine(spot).es} y, antes de que el modelo contestara, tu función ${how.es}. Sin \`await\`, lo que hay en la variable es una promesa: no tiene \`content\` ni \`stop_reason\`.`,
          en: `The request went out${onLine(spot).en} and, before the model answered, your function ${how.en}. Without \`await\`, what the variable holds is a promise: it has no \`content\` and no \`stop_reason\`.`,
        },
        next,
      };
    }
    // A condition that reads a promise is simply false: the loop leaves a reply that asks for tools as it is.
    const last = delivered(run.trace).at(-1);
    const left =
      last &&
      end.how === "returned" &&
      last.message.stop_reason === "tool_use" &&
      exchanges(run.trace).at(-1)?.reply === last;
    const untouched = left && !ran(run.trace).some(({ call }) => call.seq > last.seq);
    const spot = untouched ? unawaitedModelCall(run.source) : null;
    if (!untouched || spot === null) return null;
    const asks = names(namesOf(askedBy(last)));
    return {
      turn: last.turn,
      at: spot,
      headline,
      detail: {
        es: `El modelo pidió ${asks.es} y tu bucle terminó sin hacer nada. La llamada de la línea ${spot.line} no se espera: lo que lee la condición es una promesa, que no tiene \`stop_reason\`, y así nunca vale \`"tool_use"\`.`,
        en: `The model asked for ${asks.en} and your loop ended without doing anything. Nobody waits for the call on line ${spot.line}: what the condition reads is a promise, which has no \`stop_reason\`, so it never is \`"tool_use"\`.`,
      },
      next,
    };
  },
};

export default diagnosis;
