import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import { askedById } from "./find/calls.ts";
import { orphans, pairs } from "./find/pairing.ts";
import type { Exchange } from "./find/requests.ts";
import { apiSaid, code, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "duplicate-tool-result",
  rank: 390,
  weight: "fault",
  exercise: "2.4",
  explains: ["rejected-request-retried"],
  detect(run) {
    const found = answeredTwice(run.trace);
    if (found === null) return null;
    const name = code(askedById(run.trace).get(found.id)?.name ?? found.id);
    return {
      turn: found.request.turn,
      at: found.request.at,
      headline: {
        es: "Respondiste dos veces a la misma llamada",
        en: "You answered the same call twice",
      },
      detail: text([
        found.later
          ? {
              es: `La petición vuelve a llevar el resultado de ${name} (${code(found.id)}), que ya estaba respondido más arriba en el historial. El modelo esperaba solo los resultados de su último turno.`,
              en: `The request carries the result of ${name} (${code(found.id)}) again, which was already answered further up in the history. The model was waiting only for the results of its latest turn.`,
            }
          : {
              es: `Hay dos bloques \`tool_result\` para ${name} (${code(found.id)}). El modelo esperaba exactamente uno por llamada.`,
              en: `There are two \`tool_result\` blocks for ${name} (${code(found.id)}). The model was waiting for exactly one per call.`,
            },
        apiSaid(found.reply),
      ]),
      next: found.later
        ? {
            es: "¿Dónde nace la lista de resultados: antes del bucle o en cada vuelta?",
            en: "Where is the list of results born: before the loop, or on each pass?",
          }
        : {
            es: "¿Qué dos caminos de tu código agregan un resultado para la misma llamada?",
            en: "Which two paths of your code add a result for the same call?",
          },
    };
  },
};

function answeredTwice(trace: Trace): (Exchange & { id: string; later: boolean }) | null {
  for (const { request, reply, repeated, missing } of pairs(trace)) {
    // One id for the results of several calls is a wrong id.
    if (repeated[0] !== undefined && missing.length === 0) return { request, reply, id: repeated[0], later: false };
  }
  const again = orphans(trace).find(({ why }) => why === "again");
  return again ? { request: again.request, reply: again.reply, id: again.result.tool_use_id, later: true } : null;
}

export default diagnosis;
