import { isText } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import type { Delivered } from "./find/calls.ts";
import { givenBack } from "./find/given-back.ts";
import { exchanges } from "./find/requests.ts";
import { soleStopReasonTest } from "./point/stop-reason.ts";
import { code, cut } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "truncated-as-answer",
  rank: 245,
  weight: "fault",
  exercise: "3.3",
  explains: ["preamble-as-answer"],
  detect(run) {
    const reply = givenBack(run);
    if (reply?.message.stop_reason !== "max_tokens") return null;
    const said = cut(reply.message.content.findLast(isText)?.text ?? "", 80);
    const limit = limitOf(run, reply);
    return {
      turn: reply.turn,
      at: soleStopReasonTest(run.source) ?? run.at,
      headline: {
        es: "Devolviste como respuesta final un texto que quedó cortado",
        en: "You returned as the final answer a text that was cut off",
      },
      detail: {
        es: `Tu función devolvió «${said}». Esa respuesta llegó con \`stop_reason\` ${code("max_tokens")}: se acabaron los tokens${limit.es} y el modelo esperaba poder seguir escribiendo. Quien lea ese texto no tiene cómo saber que le falta el final.`,
        en: `Your function returned "${said}". That reply came with \`stop_reason\` ${code("max_tokens")}: the tokens ran out${limit.en} and the model was waiting for room to go on writing. Whoever reads that text cannot tell that its end is missing.`,
      },
      next: {
        es: "Una respuesta que se quedó sin espacio, ¿por qué camino de tu código sale, y qué se entera quien llamó a `runAgent`?",
        en: "By which path of your code does a reply that ran out of room leave, and what does the caller of `runAgent` learn of it?",
      },
    };
  },
};

/** The `max_tokens` of the request that was answered. */
function limitOf({ trace }: Run, reply: Delivered): { es: string; en: string } {
  const body = exchanges(trace).find(({ request }) => request.seq === reply.request)?.request.body;
  const limit = isRecord(body) ? body.max_tokens : null;
  if (typeof limit !== "number") return { es: "", en: "" };
  return { es: ` (la llamada permitía ${limit})`, en: ` (the request allowed ${limit})` };
}

export default diagnosis;
