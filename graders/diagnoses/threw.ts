import type { Diagnosis } from "../trace/diagnosis.ts";
import type { ReplyEvent } from "../trace/events.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { ACCIDENTS, lastTurn } from "./find/ending.ts";
import { isTurnedDown } from "./find/faults.ts";
import { exchanges } from "./find/requests.ts";
import { hadToStop } from "./find/stop.ts";
import { apiSaid, errorSaid, text } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "threw",
  rank: 810,
  weight: "fault",
  exercise: "2.3",
  detect(run) {
    const { error } = run;
    if (run.outcome !== "threw" || error === null) return null;
    const last = exchanges(run.trace).at(-1)?.reply ?? null;
    const failed = last !== null && last.kind !== "message";
    // A loop that gives up throws: with AgentStopped anywhere, with any error of its own where the conversation has no end.
    if (error.name === "AgentStopped") return null;
    if (run.scenario.endlessFrom !== null && !failed && !ACCIDENTS.includes(error.name)) return null;
    // So does one that was aborted, or has spent its tokens, whoever throws: the tool, the SDK or the loop itself.
    if (hadToStop(run) && !failed && !ACCIDENTS.includes(error.name)) return null;
    // So does one at a reply that is no answer: cut, declined, paused, or of a reason it does not know.
    if (last?.kind === "message" && !ACCIDENTS.includes(error.name) && isNoAnswer(last)) return null;
    // So does one whose server fails for good, by handing on what the API said.
    if (last?.kind === "fault" && !ACCIDENTS.includes(error.name) && failsForGood(run, last)) return null;
    const accident = ACCIDENTS.includes(error.name);
    const tooDeep = /call stack|recursion depth/i.test(error.message);
    const noName = error.name === "ReferenceError" && / is not defined$/.test(error.message);
    const why = tooDeep ? TOO_DEEP : noName ? NO_SUCH_NAME : BY_THE_LANGUAGE;
    const said = errorSaid(error, 240);
    return {
      turn: lastTurn(run.trace),
      at: error.stack[0] ?? run.at,
      headline: {
        es: "`runAgent` terminó con un error en lugar de una respuesta",
        en: "`runAgent` ended with an error instead of an answer",
      },
      detail: text([
        {
          es: `Lo que se lanzó fue ${said.es}.${accident ? why.es : ""}`,
          en: `What was thrown is ${said.en}.${accident ? why.en : ""}`,
        },
        failed && !error.message.includes(last.error?.message ?? "") ? apiSaid(last) : "",
      ]),
      next: tooDeep
        ? {
            es: "¿Qué función se llama a sí misma, y con qué condición debería dejar de hacerlo?",
            en: "Which function calls itself, and on what condition should it stop doing so?",
          }
        : noName
          ? {
              es: "¿Está ese nombre declarado o importado donde se usa, y escrito igual?",
              en: "Is that name declared or imported where it is used, and spelt the same?",
            }
          : accident
            ? {
                es: "Imprime, justo antes de esa línea, los valores que usa: ¿cuál no es lo que creías?",
                en: "Print the values that line uses, just before it: which is not what you thought?",
              }
            : error.name === ""
              ? {
                  es: "¿Qué línea de tu código lanza ese valor, y qué pasó justo antes?",
                  en: "Which line of your code throws that value, and what happened just before?",
                }
              : {
                  es: "Lee el mensaje completo: ¿en qué línea nace, y qué había pasado hasta ahí?",
                  en: "Read the whole message: on which line is it born, and what had happened by then?",
                },
    };
  },
};

const BY_THE_LANGUAGE: Text = {
  es: " Lo hizo el propio lenguaje, al intentar con un valor algo que ese valor no permite.",
  en: " The language itself threw it, on doing something with a value that the value does not allow.",
};

const NO_SUCH_NAME: Text = {
  es: " Lo hizo el propio lenguaje: en esa línea se usa un nombre que ahí no existe.",
  en: " The language itself threw it: that line uses a name that does not exist there.",
};

const TOO_DEEP: Text = {
  es: " Lo hizo el propio lenguaje: unas llamadas esperaban a otras, cada vez más adentro, hasta que no cupieron.",
  en: " The language itself threw it: calls were waiting for other calls, ever deeper, until no more would fit.",
};

/** Whether a reply neither answers nor asks for a tool, so that a loop may end there with an error of its own. */
function isNoAnswer({ message }: ReplyEvent): boolean {
  return !["end_turn", "stop_sequence", "tool_use"].includes(message?.stop_reason ?? "end_turn");
}

/** Whether another attempt would have been of no use: the request itself was turned down, or the next attempt fails as well. */
function failsForGood(run: Run, fault: ReplyEvent): boolean {
  return isTurnedDown(fault) || run.scenario.entry(fault.next).kind === "fault";
}

export default diagnosis;
