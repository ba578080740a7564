import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import type { Text } from "../trace/text.ts";
import { askedById } from "./find/calls.ts";
import { orphans, pairs } from "./find/pairing.ts";
import type { Exchange } from "./find/requests.ts";
import { secondResult } from "./point/messages.ts";
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
      at: secondResult(run.source) ?? found.request.at,
      headline: {
        es: "Respondiste dos veces a la misma llamada",
        en: "You answered the same call twice",
      },
      detail: text([where(found, name), apiSaid(found.reply)]),
      next:
        found.how !== "side-by-side"
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

/** Where the second result stands: beside the first, further down than the right place, or further up. */
interface Twice extends Exchange {
  id: string;
  how: "side-by-side" | "again" | "ahead";
}

function where({ id, how }: Twice, name: string): Text {
  switch (how) {
    case "again":
      return {
        es: `La petición vuelve a llevar el resultado de ${name} (${code(id)}), que ya estaba respondido más arriba en el historial. El modelo esperaba solo los resultados de su último turno.`,
        en: `The request carries the result of ${name} (${code(id)}) again, which was already answered further up in the history. The model was waiting only for the results of its latest turn.`,
      };
    case "ahead":
      return {
        es: `La petición lleva dos veces el resultado de ${name} (${code(id)}): una justo después del turno que lo pide, y otra más arriba, donde nadie lo había pedido aún. El modelo esperaba exactamente uno por llamada.`,
        en: `The request carries the result of ${name} (${code(id)}) twice: once right after the turn that asks for it, and once further up, where nobody had asked for it yet. The model was waiting for exactly one per call.`,
      };
    case "side-by-side":
      return {
        es: `Hay dos bloques \`tool_result\` para ${name} (${code(id)}). El modelo esperaba exactamente uno por llamada.`,
        en: `There are two \`tool_result\` blocks for ${name} (${code(id)}). The model was waiting for exactly one per call.`,
      };
  }
}

function answeredTwice(trace: Trace): Twice | null {
  for (const { request, reply, repeated, missing } of pairs(trace)) {
    // One id for the results of several calls is a wrong id.
    if (repeated[0] !== undefined && missing.length === 0)
      return { request, reply, id: repeated[0], how: "side-by-side" };
  }
  for (const how of ["again", "ahead"] as const) {
    const second = orphans(trace).find(({ why }) => why === how);
    if (second) return { request: second.request, reply: second.reply, id: second.result.tool_use_id, how };
  }
  return null;
}

export default diagnosis;
