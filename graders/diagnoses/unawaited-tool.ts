import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Spot } from "../trace/events.ts";
import type { Source } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { namesOf, ran } from "./find/calls.ts";
import { type Unawaited, unawaitedTools } from "./find/unawaited.ts";
import { asyncForEach, asyncMap, raceOfList } from "./point/patterns.ts";
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
    const culprit = culpritIn(run.source, found.how);
    const begun = ran(run.trace).findLast(
      ({ call }) => call.seq < found.request.seq && namesOf(found.calls).includes(call.name),
    );
    return {
      turn: found.request.turn,
      at: culprit?.at ?? begun?.call.at ?? found.request.at,
      headline: {
        es: "Tu bucle no esperó a las herramientas antes de volver al modelo",
        en: "Your loop did not wait for the tools before going back to the model",
      },
      detail: text([WHAT[found.how](which), apiSaid(found.reply)]),
      next: culprit?.next ?? {
        es: "`executeTool` devuelve una promesa: ¿en qué línea esperas a que se cumpla?",
        en: "`executeTool` returns a promise: on which line do you wait for it?",
      },
    };
  },
};

/** What in the source goes on without the tools, though it awaits each of them; null where nothing plainly does. */
function culpritIn(source: Source, how: Unawaited["how"]): { at: Spot; next: Text } | null {
  const ways: [Spot | null, Text][] =
    how === "promise"
      ? [[asyncMap(source), MAP]]
      : how === "nothing"
        ? []
        : [
            [asyncForEach(source), FOR_EACH],
            [raceOfList(source), RACE],
          ];
  for (const [at, next] of ways) if (at !== null) return { at, next };
  return null;
}

const FOR_EACH: Text = {
  es: "`forEach` no espera a un callback `async`. ¿Qué forma de recorrer la lista sí puede esperar?",
  en: "`forEach` does not wait for an `async` callback. Which way of going through the list can wait?",
};
const MAP: Text = {
  es: "`map` con un callback `async` da una lista de promesas. ¿Qué línea espera a que se cumplan todas antes de enviarla?",
  en: "`map` with an `async` callback gives a list of promises. Which line waits for all of them before it is sent?",
};
const RACE: Text = {
  es: "Esta línea sigue en cuanto se cumple una de las promesas. ¿Qué pasa con las demás?",
  en: "This line goes on as soon as one of the promises is fulfilled. What becomes of the others?",
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
