import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import { type Asked, askedBy, delivered, isDelivered, keyOfCall, type Ran, ran } from "./find/calls.ts";
import { UNASKED_RUNS } from "./limits/limits.ts";
import { code, json, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "wrong-tool-input",
  rank: 500,
  weight: "fault",
  exercise: "2.3",
  explains: ["tool-not-run", "tool-error-unflagged", "tool-error-crashes"],
  stops: (trace) => unasked(trace).length >= UNASKED_RUNS,
  detect(run) {
    const all = unasked(run.trace);
    const first = all[0];
    if (first === undefined) return null;
    const { call } = first;
    const asked = delivered(run.trace)
      .filter(({ seq }) => seq < call.seq)
      .flatMap((reply): readonly Asked[] => askedBy(reply))
      .findLast(({ name }) => name === call.name);
    const more =
      all.length > 1
        ? { es: ` Pasó ${times(all.length).es}.`, en: ` It happened ${times(all.length).en}.` }
        : { es: "", en: "" };
    if (asked === undefined) {
      return {
        turn: call.turn,
        at: call.at,
        headline: {
          es: "Tu bucle ejecutó una herramienta que el modelo no había pedido",
          en: "Your loop ran a tool that the model had not asked for",
        },
        detail: {
          es: `Ejecutaste ${code(call.name)} con ${json(call.input)}, y ninguna respuesta hasta ese momento la pedía.${more.es} Quién decide qué se ejecuta es el modelo; tu bucle solo cumple lo que dicen sus bloques \`tool_use\`.`,
          en: `You ran ${code(call.name)} with ${json(call.input)}, and no reply up to then asked for it.${more.en} The model decides what is run; your loop only carries out what its \`tool_use\` blocks say.`,
        },
        next: {
          es: "¿De dónde saca tu código el nombre de la herramienta que ejecuta?",
          en: "Where does your code take the name of the tool it runs from?",
        },
      };
    }
    return {
      turn: call.turn,
      at: call.at,
      headline: {
        es: "La herramienta recibió un input distinto del que pidió el modelo",
        en: "The tool was given an input other than the one the model asked for",
      },
      detail: {
        es: `El modelo pidió ${code(asked.name)} con ${json(asked.input, 90)}, y tu código la ejecutó con ${json(call.input, 90)}.${more.es} El modelo leerá el resultado como si fuera de lo que él pidió.`,
        en: `The model asked for ${code(asked.name)} with ${json(asked.input, 90)}, and your code ran it with ${json(call.input, 90)}.${more.en} The model will read the result as if it were of what it asked for.`,
      },
      next: {
        es: "¿Qué campo del bloque `tool_use` trae los datos, y qué le pasas tú a `executeTool`?",
        en: "Which field of the `tool_use` block brings the data, and what do you hand to `executeTool`?",
      },
    };
  },
};

/** Tool calls that no reply before them asked for, by name and input. */
function unasked(trace: Trace): Ran[] {
  const asked = new Set<string>();
  const calls = new Set<number>();
  for (const event of trace) {
    if (isDelivered(event)) for (const { key } of askedBy(event)) asked.add(key);
    if (event.type === "tool-call" && !asked.has(keyOfCall(event))) calls.add(event.call);
  }
  return calls.size === 0 ? [] : ran(trace).filter(({ call }) => calls.has(call.call));
}

export default diagnosis;
