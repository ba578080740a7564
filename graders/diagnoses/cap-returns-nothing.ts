import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Text } from "../trace/text.ts";
import { isNothing, settled } from "./find/answer.ts";
import { askedBy, delivered, isDelivered, namesOf } from "./find/calls.ts";
import { exchanges } from "./find/requests.ts";
import { count, names, text } from "./words/words.ts";

/** Fewer replies than this are no cap: a loop that ends so soon was never meant to go round. */
const FEWEST = 3;

// A fault, but no criterion about the cap itself looks at it: only one that asks for the reason does.
const diagnosis: Diagnosis = {
  id: "cap-returns-nothing",
  rank: 650,
  weight: "fault",
  exercise: "3.1",
  detect(run) {
    const end = settled(run.trace);
    if (run.scenario.endlessFrom === null || run.outcome !== "returned" || end === null) return null;
    if (!isNothing(end.value)) return null;
    // Whoever aborts a run knows why it ended.
    if (run.trace.some(({ type }) => type === "abort")) return null;
    const last = exchanges(run.trace).at(-1)?.reply ?? null;
    const replies = delivered(run.trace);
    if (last === null || !isDelivered(last) || replies.length < Math.min(FEWEST, run.cap ?? FEWEST)) return null;
    const given = count(replies.length, ["respuesta", "respuestas"], ["reply", "replies"]);
    const asks = names(namesOf(askedBy(last)));
    return {
      turn: last.turn,
      at: run.at,
      headline: {
        es: "Tu bucle se rindió a tiempo, y quien lo llamó no recibió nada",
        en: "Your loop gave up in time, and whoever called it was handed nothing",
      },
      detail: text([
        {
          es: `Después de ${given.es} del modelo tu bucle paró, y ${returned(end.value).es}. `,
          en: `After ${given.en} of the model your loop stopped, and ${returned(end.value).en}. `,
        },
        askedBy(last).length > 0
          ? {
              es: `El modelo estaba a la espera de ${asks.es}: la tarea quedó a medias, y nada de lo que devolviste lo dice. `,
              en: `The model was waiting for ${asks.en}: the task was left half done, and nothing you returned says so. `,
            }
          : {
              es: "El modelo llegó a contar hasta dónde había llegado, y también eso se perdió. ",
              en: "The model even told how far it had got, and that was lost as well. ",
            },
        {
          es: "Desde fuera no se distingue un tope de una tarea sin respuesta, ni se puede retomar el trabajo hecho.",
          en: "From outside a cap cannot be told from a task without an answer, and the work done cannot be taken up again.",
        },
      ]),
      next: {
        es: "¿Qué necesita saber quien llamó a `runAgent` para decidir si lo intenta otra vez?",
        en: "What does the caller of `runAgent` need to know in order to decide whether to try again?",
      },
    };
  },
};

/** What was returned instead of a reason. An `undefined` and a `null` are the same in a trace. */
function returned(value: unknown): Text {
  if (value === null || value === undefined)
    return { es: "`runAgent` devolvió `undefined` o `null`", en: "`runAgent` returned `undefined` or `null`" };
  if (typeof value === "string")
    return { es: "`runAgent` devolvió un texto vacío", en: "`runAgent` returned an empty text" };
  return {
    es: "lo que devolvió `runAgent` no lleva nada dentro",
    en: "what `runAgent` returned holds nothing",
  };
}

export default diagnosis;
