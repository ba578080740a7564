import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { type Asked, askedBy, delivered, isDelivered, type Ran, ran } from "./find/calls.ts";
import { isProperPart } from "./find/part.ts";
import { exchanges } from "./find/requests.ts";
import { jsonParse } from "./point/json-parse.ts";
import { code, errorSaid, json, wayOut } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "partial-json-parsed",
  rank: 505,
  weight: "fault",
  exercise: "6.2",
  explains: [
    "rewritten-history",
    "wrong-tool-input",
    "tool-not-run",
    "tool-run-twice",
    "tool-error-unflagged",
    "tool-error-crashes",
    "uncaught",
  ],
  detect: (run) => ranWithPart(run) ?? couldNotParse(run),
};

/** A tool that was run with a part of what a streamed reply asked for. */
function ranWithPart(run: Run): Finding | null {
  for (const each of ran(run.trace)) {
    const asked = each.call.answers === null ? askedInPart(run, each) : null;
    if (asked === null) continue;
    const { call } = each;
    const reads = exchanges(run.trace).some(({ request }) => request.seq > call.seq)
      ? TAKEN_FOR_WHOLE
      : WAITED_FOR_WHOLE;
    const empty = call.input === null || call.input === undefined || json(call.input) === json({});
    return {
      turn: call.turn,
      at: jsonParse(run.source) ?? call.at,
      headline: {
        es: "Una herramienta corrió con solo una parte de su input, que aún estaba llegando",
        en: "A tool was run with only part of its input, which was still arriving",
      },
      detail: {
        es: `En una respuesta por streaming el modelo pidió ${code(asked.name)} con ${json(asked.input, 90)} (id ${code(asked.id)}), y tu código la ejecutó ${empty ? "sin ningún dato" : `con ${json(call.input, 90)}`}. El input llega en trozos (\`input_json_delta\`), cortados en cualquier sitio: ninguno por separado es lo que el modelo pidió. ${reads.es}`,
        en: `In a streamed reply the model asked for ${code(asked.name)} with ${json(asked.input, 90)} (id ${code(asked.id)}), and your code ran it ${empty ? "without any data" : `with ${json(call.input, 90)}`}. The input arrives in pieces (\`input_json_delta\`), cut anywhere: none of them by itself is what the model asked for. ${reads.en}`,
      },
      next: {
        es: "Imprime cada `partial_json` que te llega: ¿en cuál de los eventos del stream sabes que el input está completo?",
        en: "Print each `partial_json` that reaches you: at which of the stream's events do you know that the input is whole?",
      },
    };
  }
  return null;
}

const TAKEN_FOR_WHOLE: Text = {
  es: "El modelo va a leer ese resultado como si fuera el de su llamada entera.",
  en: "The model will read that result as if it were the one of its whole call.",
};
const WAITED_FOR_WHOLE: Text = {
  es: "El modelo esperaba el resultado de su llamada entera.",
  en: "The model was waiting for the result of its whole call.",
};

/** The open call of a streamed reply that a run by the same name has a part of the input of; null when there is none. */
function askedInPart({ trace }: Run, { call }: Ran): Asked | null {
  const answered = new Set(ran(trace).map((each) => each.call.answers));
  const candidates = delivered(trace)
    .filter(({ streamed, seq }) => streamed && seq < call.seq)
    .flatMap(askedBy)
    .filter((asked) => asked.name === call.name && isProperPart(call.input, asked.input));
  return candidates.find(({ id }) => !answered.has(id)) ?? candidates.at(-1) ?? null;
}

/** JSON that could not be parsed, where a streamed reply had just asked for a call that was then never run. */
function couldNotParse(run: Run): Finding | null {
  const { error } = run;
  if ((run.outcome !== "threw" && run.kind !== "uncaught") || error?.name !== "SyntaxError") return null;
  const last = exchanges(run.trace).at(-1)?.reply ?? null;
  if (last === null || !isDelivered(last) || !last.streamed) return null;
  const answered = new Set(ran(run.trace).map(({ call }) => call.answers));
  const asked = askedBy(last).find(({ id }) => !answered.has(id));
  if (asked === undefined) return null;
  const none = json(asked.input) === json({});
  const said = errorSaid(error);
  const way = wayOut(run);
  return {
    turn: last.turn,
    at: error.stack[0] ?? jsonParse(run.source) ?? run.at,
    headline: none
      ? {
          es: "El modelo llamó a una herramienta sin datos y tu código no supo leer ese vacío",
          en: "The model called a tool without data and your code could not read that nothing",
        }
      : {
          es: "Tu código leyó como JSON un trozo de un input que aún estaba llegando",
          en: "Your code read as JSON a piece of an input that was still arriving",
        },
    detail: none
      ? {
          es: `En una respuesta por streaming el modelo pidió ${code(asked.name)} (id ${code(asked.id)}), que no lleva datos: su único \`partial_json\` es un texto vacío. Lo que ${way.es} fue ${said.es}. El modelo esperaba el resultado de una llamada perfectamente válida.`,
          en: `In a streamed reply the model asked for ${code(asked.name)} (id ${code(asked.id)}), which takes no data: its only \`partial_json\` is an empty text. What ${way.en} was ${said.en}. The model was waiting for the result of a perfectly valid call.`,
        }
      : {
          es: `En una respuesta por streaming el modelo pidió ${code(asked.name)} con ${json(asked.input, 90)} (id ${code(asked.id)}). Lo que ${way.es} fue ${said.es}. Los trozos de un input se cortan en cualquier sitio, y ninguno tiene por qué ser JSON; el modelo esperaba que la herramienta corriera con todos juntos.`,
          en: `In a streamed reply the model asked for ${code(asked.name)} with ${json(asked.input, 90)} (id ${code(asked.id)}). What ${way.en} was ${said.en}. The pieces of an input are cut anywhere, and none need be JSON; the model was waiting for the tool to be run with all of them together.`,
        },
    next: none
      ? {
          es: "Imprime el texto que le pasas a `JSON.parse` en esa llamada: ¿qué input quiso decir el modelo con él?",
          en: "Print the text you hand to `JSON.parse` in that call: which input did the model mean by it?",
        }
      : {
          es: "Imprime cada texto que le pasas a `JSON.parse`: ¿en cuál de los eventos del stream está completo?",
          en: "Print each text you hand to `JSON.parse`: at which of the stream's events is it whole?",
        },
  };
}

export default diagnosis;
