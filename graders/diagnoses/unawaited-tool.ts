import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Text } from "../trace/text.ts";
import { namesOf, ran } from "./find/calls.ts";
import { type Unawaited, unawaitedTools } from "./find/unawaited.ts";
import { asyncForEach } from "./point/patterns.ts";
import { apiSaid, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "unawaited-tool",
  rank: 310,
  weight: "fault",
  exercise: "2.3",
  explains: [
    "dropped-tool-result",
    "unserialized-tool-result",
    "empty-message-pushed",
    "uncaught",
    "rejected-request-retried",
    "tool-error-unflagged",
  ],
  detect(run) {
    const found = unawaitedTools(run.trace);
    if (found === null) return null;
    const which = names(namesOf(found.calls));
    const loop = found.how === "empty" || found.how === "part" ? asyncForEach(run.source) : null;
    const begun = ran(run.trace).findLast(
      ({ call }) => call.seq < found.request.seq && namesOf(found.calls).includes(call.name),
    );
    return {
      turn: found.request.turn,
      at: loop ?? begun?.call.at ?? found.request.at,
      headline: {
        es: "Tu bucle no esperó a las herramientas antes de volver al modelo",
        en: "Your loop did not wait for the tools before going back to the model",
      },
      detail: text([WHAT[found.how](which), apiSaid(found.reply)]),
      next:
        loop !== null
          ? {
              es: "`forEach` no espera a un callback `async`. ¿Qué forma de recorrer la lista sí puede esperar?",
              en: "`forEach` does not wait for an `async` callback. Which way of going through the list can wait?",
            }
          : {
              es: "`executeTool` devuelve una promesa: ¿en qué línea esperas a que se cumpla?",
              en: "`executeTool` returns a promise: on which line do you wait for it?",
            },
    };
  },
};

const WHAT: Record<Unawaited["how"], (which: Text) => Text> = {
  promise: (which) => ({
    es: `En el lugar del resultado de ${which.es} viajó una promesa, que en JSON no es nada: \`{}\`. El modelo esperaba lo que la herramienta devuelve.`,
    en: `Where the result of ${which.en} should be there was a promise, which is nothing in JSON: \`{}\`. The model was waiting for what the tool returns.`,
  }),
  nothing: (which) => ({
    es: `Tu bucle puso en marcha ${which.es} y escribió su resultado antes de que lo hubiera: viajó vacío. El modelo esperaba lo que la herramienta devuelve.`,
    en: `Your loop set off ${which.en} and wrote the result down before there was one: it went out empty. The model was waiting for what the tool returns.`,
  }),
  empty: (which) => ({
    es: `Tu bucle puso en marcha ${which.es}, pero envió la petición cuando la lista de resultados aún estaba vacía. El modelo esperaba un \`tool_result\` por cada llamada.`,
    en: `Your loop set off ${which.en}, but sent the request while the list of results was still empty. The model was waiting for one \`tool_result\` per call.`,
  }),
  part: (which) => ({
    es: `Tu bucle puso en marcha ${which.es}, pero envió la petición con otros resultados y sin esperar a ese. El modelo esperaba un \`tool_result\` por cada llamada.`,
    en: `Your loop set off ${which.en}, but sent the request with other results and without waiting for that. The model was waiting for one \`tool_result\` per call.`,
  }),
};

export default diagnosis;
