import type { Diagnosis, Finding } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import type { Text } from "../trace/text.ts";
import { type Leak, leaked } from "./find/beside.ts";
import { exchanges } from "./find/requests.ts";
import { type ModuleState, moduleState } from "./point/module-state.ts";
import { apiSaid, code, cut, json, text, times } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "state-shared-between-runs",
  rank: 195,
  weight: "fault",
  exercise: "4.3",
  // What another conversation left behind can look like any other mistake about the history, and end in any way.
  explains: [
    "exited",
    "busy-loop",
    "idle-loop",
    "model-never-asked",
    "missing-reassignment",
    "restarted-conversation",
    "no-iteration-cap",
    "off-by-one-cap",
    "budget-ignored",
    "abort-ignored",
    "no-progress-not-detected",
    "kept-going-after-end",
    "unapproved-call-run",
    "refused-tool-call-run",
    "allowed-call-refused",
    "turns-out-of-order",
    "text-only-history",
    "missing-assistant-turn",
    "orphaned-tool-result",
    "history-cut-short",
    "rewritten-history",
    "wrong-tool-use-id",
    "duplicate-tool-result",
    "dropped-tool-result",
    "result-left-out",
    "text-before-tool-results",
    "split-tool-results",
    "empty-message-pushed",
    "wrong-tool-input",
    "tool-not-run",
    "tool-run-twice",
    "tools-not-resent",
    "unknown-tool-crashes",
    "overload-not-retried",
    "preamble-as-answer",
    "legitimate-repeat-broken",
    "stopped-early",
    "answer-not-returned",
    "cap-returns-nothing",
    "retry-storm",
    "rejected-request-retried",
    "never-settles",
    "uncaught",
  ],
  detect(run) {
    const leak = leaked(run);
    const state = moduleState(run.source);
    if (leak === null) return run.passesAlone ? wellAlone(run, state) : null;
    const reply = exchanges(run.trace).find(({ request }) => request === leak.event)?.reply ?? null;
    return {
      turn: leak.event.turn,
      at: state?.spot ?? (leak.event.type === "settled" ? run.at : leak.event.at),
      headline: {
        es: "Una conversación se mezcló con otra: tu código guarda datos entre ejecuciones",
        en: "One conversation leaked into another: your code keeps data between runs",
      },
      detail: text([
        seen(run, leak),
        {
          es: " Las dos usaron la misma copia de tu módulo, y lo que se guarda fuera de `runAgent` es de todas a la vez. El modelo esperaba una conversación que fuera solo suya.",
          en: " Both used the same copy of your module, and what is kept outside `runAgent` belongs to all of them at once. The model was waiting for a conversation of its own.",
        },
        apiSaid(reply),
      ]),
      next: whatIsLeft(state),
    };
  },
};

/** Nothing of another conversation can be seen in this one, and yet it is the others that it fails on. */
function wellAlone({ counts, scenario: { expected } }: Run, state: ModuleState | null): Finding {
  const asked = times(counts.callModel);
  const otherwise =
    expected === null || counts.callModel === expected.callModel
      ? ""
      : {
          es: ` Aquí llamó al modelo ${asked.es}; la conversación entera pide ${expected.callModel}.`,
          en: ` Here it called the model ${asked.en}; the whole conversation takes ${expected.callModel}.`,
        };
  return {
    turn: 0,
    at: state?.spot ?? null,
    headline: {
      es: "Esta conversación sale bien sola, y mal después de otra o a la vez que otra",
      en: "This conversation goes well alone, and not after another or at the same time",
    },
    detail: text([
      {
        es: "Sola, con el módulo recién importado, tu código la lleva hasta el final; con otra antes o a la vez, no.",
        en: "Alone, with your module freshly imported, your code sees it through; with another before it or at the same time, it does not.",
      },
      otherwise,
      {
        es: " Algo de una conversación queda para la siguiente: una variable que vive fuera de `runAgent` es de todas a la vez. El modelo esperaba una conversación que empezara de cero.",
        en: " Something of one conversation stays for the next: a variable that lives outside `runAgent` belongs to all of them at once. The model was waiting for a conversation that starts from nothing.",
      },
    ]),
    next: whatIsLeft(state),
  };
}

function whatIsLeft(state: ModuleState | null): Text {
  return state
    ? {
        es: `¿Qué queda en ${code(state.name)} cuando empieza otra conversación, y quién más escribe ahí mientras esta sigue?`,
        en: `What is left in ${code(state.name)} when another conversation begins, and who else writes there while this one goes on?`,
      }
    : {
        es: "Busca lo que tu archivo crea fuera de `runAgent`: ¿qué queda ahí cuando empieza otra conversación?",
        en: "Look for what your file creates outside `runAgent`: what is left there when another conversation begins?",
      };
}

function seen(run: Run, leak: Leak): Text {
  const place = exchanges(run.trace).findIndex(({ request }) => request === leak.event) + 1;
  switch (leak.how) {
    case "prompt":
      return {
        es: `La llamada ${place} al modelo de esta conversación llevaba el mensaje con el que empezó otra: «${cut(leak.what, 80)}».`,
        en: `Request ${place} of this conversation carried the message that another one began with: "${cut(leak.what, 80)}".`,
      };
    case "words":
      return {
        es: `La llamada ${place} al modelo de esta conversación llevaba algo que solo se dijo en otra: «${cut(leak.what, 80)}».`,
        en: `Request ${place} of this conversation carried something that was said only in another one: "${cut(leak.what, 80)}".`,
      };
    case "id":
      return {
        es: `La llamada ${place} al modelo llevaba el id ${code(leak.what)}, que ninguna respuesta de esta conversación dio: es de una llamada que se pidió en otra.`,
        en: `Request ${place} carried the id ${code(leak.what)}, which no reply of this conversation gave: it belongs to a call asked for in another one.`,
      };
    case "call":
      return {
        es: `Tu código ejecutó ${code(leak.event.name)} con ${json(leak.event.input)}, y eso lo pidió el modelo de otra conversación, no el de esta.`,
        en: `Your code ran ${code(leak.event.name)} with ${json(leak.event.input)}, which the model of another conversation asked for, not that of this one.`,
      };
    case "answer":
      return {
        es: `Tu función devolvió «${cut(leak.what, 80)}», y eso se dijo en otra conversación.`,
        en: `Your function returned "${cut(leak.what, 80)}", which was said in another conversation.`,
      };
  }
}

export default diagnosis;
