import type { Diagnosis } from "../trace/diagnosis.ts";
import type { Run } from "../trace/run.ts";
import { askedBy, delivered, scriptOf } from "./find/calls.ts";
import { answeredWithoutRunning, type Unearned } from "./find/not-run.ts";
import { blockText } from "./find/requests.ts";
import { resultField } from "./point/messages.ts";
import { code, cut, json } from "./words/words.ts";

const diagnosis: Diagnosis = {
  id: "allowed-call-refused",
  rank: 243,
  weight: "fault",
  exercise: "2.6",
  detect(run) {
    const found = turnedDown(run);
    if (found === null) return null;
    const { asked, request } = found;
    const said = cut(blockText(found.result), 80);
    return {
      turn: request.turn,
      at: resultField(run.source, "is_error", true) ?? request.at,
      headline: {
        es: "Tu bucle denegó una acción que sí estaba permitida",
        en: "Your loop refused an action that was allowed",
      },
      detail: {
        es: `El modelo pidió ${code(asked.name)} con ${json(asked.input, 90)}, y esa llamada se podía ejecutar. Tu código no la ejecutó: contestó con un error («${said}»), y el modelo tuvo que seguir sin ese resultado.`,
        en: `The model asked for ${code(asked.name)} with ${json(asked.input, 90)}, and that call could be run. Your code did not run it: it answered with an error ("${said}"), and the model had to go on without that result.`,
      },
      next: {
        es: "Sigue estos mismos datos por tu código, paso a paso: ¿en qué punto se decide que no?",
        en: "Follow this very input through your code, step by step: where is it decided that the answer is no?",
      },
    };
  },
};

/**
 * A call that a host turned down and need not have, in a conversation with others that must be: elsewhere a host may have rules
 * of its own. Null where none was, or where the API did not take the request.
 */
function turnedDown(run: Run): Unearned | null {
  const calls = delivered(run.trace).flatMap((reply) => askedBy(reply));
  if (!calls.some((asked) => scriptOf(run.scenario, asked)?.refuse)) return null;
  return (
    answeredWithoutRunning(run).find(({ result, reply }) => result.is_error === true && reply?.kind === "message") ??
    null
  );
}

export default diagnosis;
