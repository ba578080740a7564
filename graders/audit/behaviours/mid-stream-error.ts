import { isEnd } from "../../diagnoses/find/calls.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import { isText } from "../../trace/api.ts";
import { isRecord } from "../../trace/json.ts";
import type { Text } from "../../trace/text.ts";
import type { Behaviour, Verdict } from "../behaviour.ts";
import { didAtTheEnd, holdsText, holdsWords, judgeAfter } from "../handed-back.ts";
import { fails, faultIn, holds, notApplicable, repliesOf, requestsOf, together, unseen } from "../judging.ts";
import { faultsOf } from "../retries.ts";

/** What the broken stream begins to say, and what another attempt says to its end: long, so that it seldom breaks off at its end. */
const end = {
  text: {
    es: "Son tres pasos: primero se mide, después se corta y al final se revisa que todo encaje como estaba previsto. {{nonce}}",
    en: "There are three steps: first you measure, then you cut, and in the end you see whether it all fits as planned. {{nonce}}",
  },
};

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
  const judged = judgeAfter(run, broken, holdsText(run, begun), {
    what,
    own: ["retry-storm"],
    // The words may all have come: that they had is what nobody knows.
    asAnswer: {
      es: "Es lo que había llegado hasta ahí: el stream no llegó a decir que la respuesta estaba completa, y nada lo avisa.",
      en: "That is what had come by then: the stream never got to say that the reply was complete, and nothing tells so.",
    },
    whole: () => judgeWhole(run, what, begun),
  });
  const named = judged.status === "fails" ? faultIn([run], ["cut-stream-as-answer"]) : null;
  return named ? { ...judged, diagnosis: named.diagnosis ?? null } : judged;
}

/** It asked again and got the whole reply: the rest is which of the two it hands back. */
function judgeWhole(run: JudgedRun, what: Text, begun: string): Verdict {
  const reply = repliesOf(run).find((each) => isEnd(each));
  if (reply && !holdsWords(run, reply) && holdsText(run, begun)) {
    const did = didAtTheEnd(run);
    return fails({
      es: `${what.es}, el bucle volvió a pedir la respuesta hasta tenerla entera, y aun así ${did.es}: es el comienzo que se había cortado.`,
      en: `${what.en}, the loop asked for the reply again until it was whole, and still it ${did.en}: that is the beginning that had broken off.`,
    });
  }
  return holds({
    es: `${what.es}, y el bucle volvió a pedir la respuesta hasta tenerla entera.`,
    en: `${what.en}, and the loop asked for the reply again until it was whole.`,
  });
}

export default behaviour;
