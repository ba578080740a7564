import type { Diagnosis } from "../trace/diagnosis.ts";
import type { RequestEvent, ToolCallEvent, Trace } from "../trace/events.ts";
import type { Text } from "../trace/text.ts";
import { code, count } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "abort-ignored",
  rank: 227,
  weight: "fault",
  exercise: "3.7",
  explains: ["no-iteration-cap", "off-by-one-cap"],
  detect(run) {
    const begun = afterAbort(run.trace);
    const first = begun[0];
    if (first === undefined) return null;
    const requests = begun.filter(({ type }) => type === "request").length;
    const tools = begun.length - requests;
    return {
      turn: first.turn,
      at: first.at,
      headline: {
        es: "La señal de abortar llegó y tu bucle empezó algo nuevo después",
        en: "The abort signal came and your loop began something new after it",
      },
      detail: {
        es: `\`options.signal\` se disparó tras ${replies(first.turn).es}. Lo primero que vino después fue ${what(first).es}; en total, ${sums(requests, tools).es}. Quien llamó a \`runAgent\` ya no espera la respuesta: lo que se empieza desde ahí se paga, y puede cambiar cosas, sin que nadie lo quiera.`,
        en: `\`options.signal\` fired after ${replies(first.turn).en}. The first thing that came after it was ${what(first).en}; in all, ${sums(requests, tools).en}. The caller of \`runAgent\` no longer waits for the answer: what is begun from there on is paid for, and may change things, with nobody wanting it.`,
      },
      next: {
        es: "¿En qué puntos de una vuelta empieza tu bucle algo nuevo, y en cuáles de ellos mira la señal?",
        en: "At which points of a lap does your loop begin something new, and at which of them does it look at the signal?",
      },
    };
  },
};

/** What was begun after the signal had fired. A further HTTP attempt belongs to a call of the model that was under way. */
function afterAbort(trace: Trace): (RequestEvent | ToolCallEvent)[] {
  const abort = trace.findIndex(({ type }) => type === "abort");
  if (abort === -1) return [];
  return trace
    .slice(abort + 1)
    .filter(
      (event): event is RequestEvent | ToolCallEvent =>
        event.type === "tool-call" || (event.type === "request" && event.attempt === 1),
    );
}

function replies(turn: number): Text {
  if (turn === 0) return { es: "empezar, antes de la primera respuesta", en: "the start, before the first reply" };
  return { es: `la respuesta ${turn} del modelo`, en: `reply ${turn} of the model` };
}

function what(event: RequestEvent | ToolCallEvent): Text {
  return event.type === "request"
    ? { es: "otra llamada al modelo", en: "another request" }
    : { es: `la herramienta ${code(event.name)}`, en: `the tool ${code(event.name)}` };
}

function sums(requests: number, tools: number): Text {
  const asked = count(requests, ["llamada al modelo", "llamadas al modelo"], ["request", "requests"]);
  const ran = count(tools, ["herramienta", "herramientas"], ["tool", "tools"]);
  if (tools === 0) return asked;
  return requests === 0 ? ran : { es: `${asked.es} y ${ran.es}`, en: `${asked.en} and ${ran.en}` };
}

export default diagnosis;
