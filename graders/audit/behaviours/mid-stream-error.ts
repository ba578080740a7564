import type { JudgedRun } from "../../grading/spec.ts";
import { isText } from "../../trace/api.ts";
import { isRecord } from "../../trace/json.ts";
import type { Behaviour, Verdict } from "../behaviour.ts";
import { holdsText, judgeAfter } from "../handed-back.ts";
import { holds, notApplicable, requestsOf, together, unseen } from "../judging.ts";
import { faultsOf } from "../retries.ts";

const end = { text: { es: "Ahora sí, completo. {{nonce}}", en: "Now it is whole. {{nonce}}" } };

/** A stream that breaks off: with an error event, and just so. */
const behaviour: Behaviour = {
  id: "mid-stream-error",
  order: 210,
  title: {
    es: "No da por respuesta el comienzo de un stream que se cortó",
    en: "Does not take the beginning of a broken stream for the answer",
  },
  severity: "harms",
  scenarios: (cast) => [
    cast.script({ es: "Un error en mitad del stream", en: "An error in mid-stream" }, [
      { fault: 529, midStream: true },
      end,
    ]),
    cast.script({ es: "Un stream que se acaba sin más", en: "A stream that simply ends" }, [{ fault: "cut" }, end]),
  ],
  judge: (runs) => {
    const [first] = runs;
    if (first === undefined || requestsOf(first).length === 0) return unseen(first);
    if (!requestsOf(first).some(({ body }) => isRecord(body) && body.stream === true)) return notApplicable(NO_STREAM);
    return together(runs.map(judgeOne));
  },
};

const NO_STREAM = {
  es: "El bucle no pide las respuestas por streaming.",
  en: "The loop does not ask for its replies as a stream.",
};

function judgeOne(run: JudgedRun, index: number): Verdict {
  const broken = faultsOf(run).find(({ broke }) => broke !== null);
  if (broken?.broke == null) return unseen(run, index);
  const begun = broken.broke.begun.content
    .filter(isText)
    .map(({ text }) => text)
    .join("");
  const what =
    broken.broke.how === "error"
      ? { es: "En mitad del stream llegó un evento `error`", en: "An `error` event came in mid-stream" }
      : { es: "El stream se acabó antes del `message_stop`", en: "The stream ended before its `message_stop`" };
  return judgeAfter(run, broken, holdsText(run, begun), {
    what,
    own: ["cut-stream-as-answer", "retry-storm"],
    asAnswer: {
      es: "Es el comienzo de una respuesta, y nada lo avisa.",
      en: "That is the beginning of a reply, and nothing tells so.",
    },
    whole: () =>
      holds({
        es: `${what.es}, y el bucle volvió a pedir la respuesta hasta tenerla entera.`,
        en: `${what.en}, and the loop asked for the reply again until it was whole.`,
      }),
  });
}

export default behaviour;
