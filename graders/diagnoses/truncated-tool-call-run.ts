import { isToolUse } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import { isRecord } from "../trace/json.ts";
import type { Run } from "../trace/run.ts";
import type { Scenario } from "../trace/scenario.ts";
import type { Text } from "../trace/text.ts";
import type { Ran } from "./find/calls.ts";
import { runOf, type Written, writtenIn } from "./find/cut-calls.ts";
import { exchanges } from "./find/requests.ts";
import { code, json, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "truncated-tool-call-run",
  rank: 241,
  weight: "fault",
  exercise: "3.3",
  explains: ["wrong-tool-input", "tool-error-crashes", "tool-error-unflagged"],
  detect(run) {
    const found = cutCallRun(run);
    if (found === null) return null;
    const { call, ran, why } = found;
    const lacks = lacking(run.scenario, ran);
    return {
      turn: ran.call.turn,
      at: ran.call.at ?? run.at,
      headline: {
        es: "Ejecutaste una llamada que el modelo no había terminado de escribir",
        en: "You ran a call that the model had not finished writing",
      },
      detail: text([
        {
          es: `El modelo estaba escribiendo la llamada a ${code(call.name)} (${code(call.id)}) cuando su respuesta se cortó${why.es}. `,
          en: `The model was writing the call of ${code(call.name)} (${code(call.id)}) when its reply was cut off${why.en}. `,
        },
        {
          es: `Tu bucle la ejecutó con ${json(ran.call.input, 90)}`,
          en: `Your loop ran it with ${json(ran.call.input, 90)}`,
        },
        lacks.length > 0
          ? { es: `, donde falta ${names(lacks).es}. `, en: `, where ${names(lacks).en} is missing. ` }
          : ". ",
        {
          es: "Un input cortado puede parecer completo y pedir otra cosa. El modelo esperaba espacio para terminar de pedir, no un resultado.",
          en: "An input that was cut may look whole and ask for something else. The model was waiting for room to finish asking, not for a result.",
        },
      ]),
      next: {
        es: "¿Qué mira tu código antes de ejecutar un `tool_use`: solo que esté ahí, o también cómo terminó la respuesta que lo trae?",
        en: "What does your code look at before it runs a `tool_use`: only that it is there, or also how the reply that brings it ended?",
      },
    };
  },
};

interface CutCall {
  call: Written;
  ran: Ran;
  /** How the reply was cut, to be put after "was cut off". */
  why: Text;
}

/** The first run of the call that a reply or a stream was cut in: its last block. Those before it are whole. */
function cutCallRun({ trace }: Run): CutCall | null {
  for (const { reply } of exchanges(trace)) {
    const message = reply?.message ?? reply?.broke?.begun;
    if (!reply || !message) continue;
    const reason = message.stop_reason;
    const cut = reply.broke !== null || reason === "max_tokens" || reason === "model_context_window_exceeded";
    const last = message.content.at(-1);
    if (!cut || !last || !isToolUse(last)) continue;
    const found = runOf(trace, reply.seq, writtenIn(message).slice(-1));
    // A stream may break off after a call's input was all there, and some loops begin a call as soon as it is.
    if (found === null || (reply.broke && found.run.call.answers === found.call.id)) continue;
    const why = reply.broke
      ? { es: ": el stream terminó antes de tiempo", en: ": the stream ended too soon" }
      : { es: `, con \`stop_reason\` ${code(reason)}`, en: `, with \`stop_reason\` ${code(reason)}` };
    return { call: found.call, ran: found.run, why };
  }
  return null;
}

/** What the tool demands and the input does not have. */
function lacking({ tools }: Scenario, { call }: Ran): string[] {
  const required = tools.find(({ name }) => name === call.name)?.input_schema.required;
  const input = isRecord(call.input) ? call.input : {};
  return Array.isArray(required) ? required.map(String).filter((name) => !Object.hasOwn(input, name)) : [];
}

export default diagnosis;
