import type { ToolUseBlock } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import type { Text } from "../trace/text.ts";
import { askedById, namesOf, ran } from "./find/calls.ts";
import { toJson } from "./find/json.ts";
import { type Pair, pairs } from "./find/pairing.ts";
import { apiSaid, code, names, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "dropped-tool-result",
  rank: 400,
  weight: "fault",
  exercise: "2.4",
  explains: ["tool-not-run", "empty-message-pushed", "text-before-tool-results", "rejected-request-retried"],
  detect(run) {
    const pair = pairs(run.trace).find(({ missing, foreign, repeated }) => {
      return missing.length > 0 && foreign.length === 0 && repeated.length === 0;
    });
    if (pair === undefined) return null;
    const asked = list(pair.uses, pair.uses);
    const dropped = list(pair.missing, pair.uses);
    const answered = pair.uses.length - pair.missing.length;
    const wereRun = namesOf(pair.missing.filter((use) => wasRun(run.trace, pair, use.id)));
    const ids = pair.missing.map(({ id }) => code(id)).join(", ");
    return {
      turn: pair.request.turn,
      at: pair.request.at,
      headline:
        answered > 0
          ? {
              es: `El modelo pidió ${pair.uses.length} herramientas y solo respondiste a ${answered}`,
              en: `The model asked for ${pair.uses.length} tools and you answered only ${answered}`,
            }
          : {
              es: "El modelo pidió herramientas y no le enviaste ningún resultado",
              en: "The model asked for tools and you sent it no result",
            },
      detail: text([
        {
          es: `El modelo pidió ${asked.es}. Al volver a llamarlo faltaba el resultado de ${dropped.es} (${ids}): `,
          en: `The model asked for ${asked.en}. When you called it again the result of ${dropped.en} (${ids}) was missing: `,
        },
        fate(wereRun.length, pair.missing.length),
        {
          es: "Esperaba un `tool_result` por cada `tool_use`, todos en el mensaje siguiente.",
          en: "It was waiting for one `tool_result` for each `tool_use`, all in the next message.",
        },
        apiSaid(pair.reply),
      ]),
      next:
        wereRun.length > 0
          ? {
              es: "Sigue lo que devuelve cada herramienta: ¿en qué línea entra en el mensaje que envías, y cuántas veces?",
              en: "Follow what each tool returns: on which line does it enter the message you send, and how many times?",
            }
          : answered > 0
            ? {
                es: "¿Qué parte de tu código decide cuántos bloques de `content` mira en cada turno?",
                en: "Which part of your code decides how many blocks of `content` it looks at in each turn?",
              }
            : {
                es: "¿Qué mensaje tiene que seguir al turno del modelo antes de volver a llamarlo?",
                en: "Which message has to follow the model's turn before you call it again?",
              },
    };
  },
};

/** The calls by name; with their input where one name stands for several of the turn. */
function list(uses: readonly ToolUseBlock[], all: readonly ToolUseBlock[]): Text {
  const plain = all.map(({ name }) => name);
  if (uses.length > 4) return names(namesOf(uses));
  return names(
    uses.map(({ name, input }) =>
      plain.filter((other) => other === name).length > 1 ? `${name} ${toJson(input)}` : name,
    ),
  );
}

/** What became of the calls without a result. */
function fate(wereRun: number, missing: number): Text {
  if (wereRun === 0) {
    return missing === 1
      ? { es: "nunca se ejecutó. ", en: "it was never run. " }
      : { es: "nunca se ejecutaron. ", en: "they were never run. " };
  }
  if (wereRun < missing) {
    return {
      es: "una parte sí se ejecutó, pero lo que devolvió no llegó al historial. ",
      en: "some did run, but what came back never reached the history. ",
    };
  }
  return missing === 1
    ? {
        es: "la herramienta sí se ejecutó, pero lo que devolvió no llegó al historial. ",
        en: "the tool did run, but what came back never reached the history. ",
      }
    : {
        es: "las herramientas sí se ejecutaron, pero lo que devolvieron no llegó al historial. ",
        en: "the tools did run, but what came back never reached the history. ",
      };
}

function wasRun(trace: Trace, { request }: Pair, id: string): boolean {
  const asked = askedById(trace, request.seq).get(id);
  return asked !== undefined && ran(trace).some(({ call, key }) => key === asked.key && call.seq > asked.reply.seq);
}

export default diagnosis;
