import type { ToolUseBlock } from "../trace/api.ts";
import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Trace } from "../trace/events.ts";
import type { Text } from "../trace/text.ts";
import { runsFor } from "./find/alike.ts";
import { askedBy, askedById, markOf, namesOf } from "./find/calls.ts";
import { toJson } from "./find/json.ts";
import { type Pair, pairs } from "./find/pairing.ts";
import { historyText } from "./find/requests.ts";
import { passedOver } from "./point/left-out.ts";
import { overwrittenResults, resultsMessage } from "./point/messages.ts";
import { firstCallOnly } from "./point/patterns.ts";
import { emptyCatchOfTool } from "./point/swallowed.ts";
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
    const fates = pair.missing.map(({ id }) => fateOf(run.trace, pair, id));
    const unformed = fates.every((fate) => fate === "travels");
    const silent = fates.every((fate) => fate === "lost") ? emptyCatchOfTool(run.source) : null;
    const ids = pair.missing.map(({ id }) => code(id)).join(", ");
    return {
      turn: pair.request.turn,
      at:
        silent ??
        (answered > 0 ? (firstCallOnly(run.source) ?? overwrittenResults(run.source)) : null) ??
        (fates.includes("not-run") ? passedOver(run.source) : null) ??
        (unformed ? resultsMessage(run.source) : null) ??
        pair.request.at,
      headline: unformed
        ? {
            es: "El resultado viaja, pero no como respuesta a su llamada",
            en: "The result travels, but not as the answer to its call",
          }
        : answered > 0
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
        fate(fates),
        {
          es: "Esperaba un `tool_result` por cada `tool_use`, todos en el mensaje siguiente.",
          en: "It was waiting for one `tool_result` for each `tool_use`, all in the next message.",
        },
        apiSaid(pair.reply),
      ]),
      next: unformed
        ? {
            es: "¿En qué tipo de bloque espera el modelo cada resultado, y con qué dato sabe a qué llamada responde?",
            en: "In which type of block does the model expect each result, and by what does it know which call is answered?",
          }
        : silent !== null
          ? SILENT
          : fates.some((fate) => fate !== "not-run")
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

const SILENT: Text = {
  es: "Imprime el error dentro de ese `catch` vacío: ¿qué llega ahí, y qué recibe el modelo cuando eso pasa?",
  en: "Print the error inside that empty `catch`: what gets there, and what does the model get when it does?",
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

/**
 * What became of a call without a `tool_result`: `travels`, it was run and the history holds what came back in some other
 * form; `lost`, it was run and the history does not show it.
 */
type Fate = "not-run" | "lost" | "travels";

function fateOf(trace: Trace, { request, missing }: Pair, id: string): Fate {
  const asked = askedById(trace, request.seq).get(id);
  const runs = asked ? runsFor(trace, asked) : [];
  // Of calls that are alike, those that were answered have had their runs, and then each of the others in its turn.
  const alike = asked ? askedBy(asked.reply).filter(({ key }) => key === asked.key) : [];
  const open = alike.filter((call) => missing.some((each) => each.id === call.id));
  const before = alike.length - open.length + open.findIndex((call) => call.id === id);
  if (runs.length <= before) return "not-run";
  const said = historyText(request);
  const there = runs.filter(({ result }) => markOf(result?.outcome).some((mark) => said.includes(mark)));
  return there.length > before ? "travels" : "lost";
}

function fate(fates: readonly Fate[]): Text {
  const one = fates.length === 1;
  if (fates.every((each) => each === "not-run")) {
    return one
      ? { es: "esa llamada nunca se ejecutó. ", en: "that call was never run. " }
      : { es: "esas llamadas nunca se ejecutaron. ", en: "those calls were never run. " };
  }
  if (fates.every((each) => each === "travels")) {
    return one
      ? {
          es: "lo que devolvió la herramienta sí está en el historial, pero no en un `tool_result` con ese id. ",
          en: "what the tool returned is in the history, but not in a `tool_result` with that id. ",
        }
      : {
          es: "lo que devolvieron las herramientas sí está en el historial, pero no en un `tool_result` con cada id. ",
          en: "what the tools returned is in the history, but not in a `tool_result` with each id. ",
        };
  }
  if (fates.every((each) => each === "lost")) {
    return one
      ? {
          es: "la herramienta sí se ejecutó, pero lo que devolvió no aparece en el historial. ",
          en: "the tool did run, but what came back does not appear in the history. ",
        }
      : {
          es: "las herramientas sí se ejecutaron, pero lo que devolvieron no aparece en el historial. ",
          en: "the tools did run, but what came back does not appear in the history. ",
        };
  }
  return {
    es: "lo que de eso se ejecutó no llegó en un `tool_result` con su id. ",
    en: "what was run of it did not arrive in a `tool_result` with its id. ",
  };
}

export default diagnosis;
