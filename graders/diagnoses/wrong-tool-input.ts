import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import type { ToolCallEvent, Trace } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { type Asked, askedBy, askedById, isDelivered, keyOfCall, type Ran, ran } from "./find/calls.ts";
import { runInPlaceOf } from "./find/in-place.ts";
import { stable } from "./find/json.ts";
import { misnamed } from "./find/misnamed.ts";
import { UNASKED_RUNS } from "./limits/limits.ts";
import { soleToolRun } from "./point/patterns.ts";
import { code, cut, json, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "wrong-tool-input",
  rank: 500,
  weight: "fault",
  exercise: "2.3",
  explains: ["tool-not-run", "tool-run-twice", "tool-error-unflagged", "tool-error-crashes"],
  stops: (trace) => unasked(trace).length >= UNASKED_RUNS,
  detect(run) {
    const all = [...unasked(run.trace), ...inPlaceOf(run.trace)]
      .map((each) => ({ ...each, meant: meantBy(run.trace, each) }))
      .toSorted((a, b) => a.call.seq - b.call.seq);
    const first = all[0];
    if (first === undefined) return namedWrongly(run);
    const { call, meant } = first;
    const alike = all.filter((each) => each.meant?.how === meant?.how).length;
    const more =
      alike > 1 ? { es: ` Pasó ${times(alike).es}.`, en: ` It happened ${times(alike).en}.` } : { es: "", en: "" };
    return { turn: call.turn, at: call.at, ...textsOf(call, meant, more) };
  },
};

/** `executeTool` was given something else as the name. */
function namedWrongly(run: Run): Finding | null {
  const found = misnamed(run);
  if (found === null) return null;
  const { asked, given } = found;
  const what =
    given === "[object Object]"
      ? { es: "un objeto, que no es ningún nombre", en: "an object, which is no name" }
      : {
          es: `${code(given)}, que no es ninguna de las herramientas`,
          en: `${code(given)}, which is none of the tools`,
        };
  return {
    turn: found.turn,
    at: found.at ?? soleToolRun(run.source),
    headline: {
      es: "`executeTool` no recibió el nombre de la herramienta que pidió el modelo",
      en: "`executeTool` was not given the name of the tool the model asked for",
    },
    detail: {
      es: `El modelo pidió ${code(asked.name)} con ${json(asked.input, 90)}. Como nombre, \`executeTool\` recibió ${what.es}: por eso dijo «Unknown tool: ${cut(given, 60)}» y no se ejecutó nada.`,
      en: `The model asked for ${code(asked.name)} with ${json(asked.input, 90)}. As the name, \`executeTool\` was given ${what.en}: so it said "Unknown tool: ${cut(given, 60)}" and nothing was run.`,
    },
    next: {
      es: "¿Qué espera `executeTool` en primer lugar y qué en segundo, y qué le pasas tú en cada uno?",
      en: "What does `executeTool` expect first and what second, and what do you hand it in each place?",
    },
  };
}

/** What a call that nobody asked for seems to stand for: a call still open, run by another name or with another input. */
interface Meant {
  asked: Asked;
  how: "name" | "input";
}

function textsOf(
  { name, input }: ToolCallEvent,
  meant: Meant | null,
  more: Text,
): Pick<Finding, "headline" | "detail" | "next"> {
  if (meant === null) {
    return {
      headline: {
        es: "Tu bucle ejecutó una llamada que el modelo no había pedido",
        en: "Your loop ran a call that the model had not asked for",
      },
      detail: {
        es: `Ejecutaste ${code(name)} con ${json(input)}, y ninguna respuesta hasta ese momento pedía eso.${more.es} Quién decide qué se ejecuta es el modelo; tu bucle solo cumple lo que dicen sus bloques \`tool_use\`.`,
        en: `You ran ${code(name)} with ${json(input)}, and no reply up to then asked for that.${more.en} The model decides what is run; your loop only carries out what its \`tool_use\` blocks say.`,
      },
      next: {
        es: "¿De dónde saca tu código el nombre y los datos de lo que ejecuta?",
        en: "Where does your code take the name and the data of what it runs from?",
      },
    };
  }
  const { asked } = meant;
  if (meant.how === "name") {
    return {
      headline: {
        es: "Tu bucle ejecutó una herramienta distinta de la que pidió el modelo",
        en: "Your loop ran a tool other than the one the model asked for",
      },
      detail: {
        es: `El modelo pidió ${code(asked.name)} con ${json(asked.input, 90)}, y tu código ejecutó ${code(name)} con ese mismo input.${more.es} Lo que salga de ahí no responde a lo que él pidió.`,
        en: `The model asked for ${code(asked.name)} with ${json(asked.input, 90)}, and your code ran ${code(name)} with that same input.${more.en} What comes of that is no answer to what it asked for.`,
      },
      next: {
        es: "¿De dónde saca tu código el nombre de la herramienta que ejecuta?",
        en: "Where does your code take the name of the tool it runs from?",
      },
    };
  }
  return {
    headline: {
      es: "La herramienta recibió un input distinto del que pidió el modelo",
      en: "The tool was given an input other than the one the model asked for",
    },
    detail: {
      es: `El modelo pidió ${code(asked.name)} con ${json(asked.input, 90)}, y tu código la ejecutó con ${json(input, 90)}.${more.es} Lo que salga de ahí no responde a lo que él pidió.`,
      en: `The model asked for ${code(asked.name)} with ${json(asked.input, 90)}, and your code ran it with ${json(input, 90)}.${more.en} What comes of that is no answer to what it asked for.`,
    },
    next: {
      es: "¿Qué campo del bloque `tool_use` trae los datos, y qué le pasas tú a `executeTool`?",
      en: "Which field of the `tool_use` block brings the data, and what do you hand to `executeTool`?",
    },
  };
}

/**
 * The call that was asked for and still open which a run seems to stand for: one of the same input by another name, else one
 * of the same name. One that is never run comes before one that is still to be; null where none resembles it.
 */
function meantBy(trace: Trace, { call }: Ran): Meant | null {
  const runs = ran(trace);
  const answeredBefore = new Set(runs.filter((each) => each.call.seq < call.seq).map((each) => each.call.answers));
  const answeredEver = new Set(runs.map((each) => each.call.answers));
  const open = [...askedById(trace, call.seq).values()].filter(({ id }) => !answeredBefore.has(id));
  const byLikelihood = [
    ...open.filter(({ id }) => !answeredEver.has(id)),
    ...open.filter(({ id }) => answeredEver.has(id)),
  ];
  const input = stable(call.input ?? {});
  const twin = byLikelihood.find((asked) => asked.name !== call.name && stable(asked.input ?? {}) === input);
  // Two calls without any input are alike in nothing that matters.
  if (twin && input !== "{}") return { asked: twin, how: "name" };
  const namesake = byLikelihood.find((asked) => asked.name === call.name);
  if (namesake) return { asked: namesake, how: "input" };
  return twin ? { asked: twin, how: "name" } : null;
}

/** Tool calls that no reply before them asked for, by name and input. */
function unasked(trace: Trace): Ran[] {
  const asked = new Set<string>();
  const calls = new Set<number>();
  for (const event of trace) {
    if (isDelivered(event)) for (const { key } of askedBy(event)) asked.add(key);
    // A call whose input had all arrived when its stream broke off was asked for, though no reply holds it.
    if (event.type === "tool-call" && event.answers === null && !asked.has(keyOfCall(event))) calls.add(event.call);
  }
  return calls.size === 0 ? [] : ran(trace).filter(({ call }) => calls.has(call.call));
}

/** Calls that were asked for and run before, and are run again with the input of an open one that is never run itself. */
function inPlaceOf(trace: Trace): Ran[] {
  const wrong = new Set(unasked(trace).map(({ call }) => call.call));
  const answered = new Set(ran(trace).map(({ call }) => call.answers));
  return ran(trace).filter((each) => {
    if (each.call.answers !== null || wrong.has(each.call.call)) return false;
    const meant = meantBy(trace, each);
    if (meant === null || answered.has(meant.asked.id)) return false;
    return meant.how === "name" || runInPlaceOf(trace, meant.asked) !== null;
  });
}

export default diagnosis;
