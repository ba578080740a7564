import { isEnd } from "../../diagnoses/find/calls.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import { isRecord } from "../../trace/json.ts";
import type { Behaviour, Verdict } from "../behaviour.ts";
import { BOTH_HALVES, didAtTheEnd, handedBack, holdsWords, judgeReply } from "../handed-back.ts";
import { type Answered, fails, holds, repliesOf, requestsOf, stoppedBy, together, unseen } from "../judging.ts";

/** A text that is cut off: once, and then however often it is asked for. */
const behaviour: Behaviour = {
  id: "truncated-text",
  order: 90,
  title: {
    es: "No da por respuesta un texto que `max_tokens` cortó",
    en: "Does not take a text that `max_tokens` cut off for the answer",
  },
  severity: "harms",
  scenarios: (cast) => [
    cast.script({ es: "Un texto a la mitad", en: "Half a text" }, [
      {
        text: {
          es: "{{nonce}} Son tres cosas. La primera es que",
          en: "{{nonce}} There are three things. The first is",
        },
        stopReason: "max_tokens",
      },
      { text: { es: "Y con esa son las tres. {{nonce}}", en: "And that makes three. {{nonce}}" } },
    ]),
    cast.script(
      { es: "Siempre a la mitad", en: "Half a text every time" },
      [
        {
          text: { es: "{{nonce}} Son muchas cosas. Una es que", en: "{{nonce}} There are many things. One is" },
          stopReason: "max_tokens",
        },
      ],
      { endless: { from: 0 } },
    ),
  ],
  judge: ([once, always]) => {
    const first = judgeOnce(once);
    if (first.status === "not-observable") return first;
    return together([first, judgeAlways(always)], first.message);
  },
};

function judgeOnce(run: JudgedRun | undefined): Verdict {
  const reply = stoppedBy(run, "max_tokens");
  return judgeReply(run, reply, {
    what: { es: "La respuesta llegó cortada por `max_tokens`", en: "The reply came cut off by `max_tokens`" },
    own: ["truncated-as-answer", "empty-message-pushed", "rejected-request-retried", "retry-storm"],
    asAnswer: {
      es: "Nada avisa de que a ese texto le falta el final.",
      en: "Nothing tells that the end of that text is missing.",
    },
    whole: () => (run && reply ? judgeWhole(run, reply) : unseen(run)),
  });
}

/** It went on to the whole answer: by asking again, or by letting the model go on. Then the answer has two halves. */
function judgeWhole(run: JudgedRun, reply: Answered): Verdict {
  const end = repliesOf(run).find((each) => isEnd(each));
  const request = requestsOf(run).find(({ seq }) => seq === end?.request);
  const wentOn = request?.history.some(({ role }) => role === "assistant") ?? false;
  if (!wentOn) {
    const [before, after] = [reply.request, end?.request].map((seq) => limitOf(run, seq));
    const limits = before !== null && after !== null && before !== after ? ` (${before} → ${after} tokens)` : "";
    return holds({
      es: `La respuesta llegó cortada por \`max_tokens\` y el bucle la pidió de nuevo${limits}, hasta tenerla entera.`,
      en: `The reply came cut off by \`max_tokens\` and the loop asked for it again${limits}, until it was whole.`,
    });
  }
  if (end && holdsWords(run, end) && !holdsWords(run, reply)) {
    const did = didAtTheEnd(run);
    return fails(
      {
        es: `La respuesta llegó cortada por \`max_tokens\`, el bucle dejó seguir al modelo y al final ${did.es}: es solo la segunda mitad.`,
        en: `The reply came cut off by \`max_tokens\`, the loop let the model go on and in the end ${did.en}: that is only the second half.`,
      },
      { next: BOTH_HALVES },
    );
  }
  if (handedBack(run).from === "returned" && end && !holdsWords(run, end)) {
    const did = didAtTheEnd(run);
    return fails(
      {
        es: `El modelo llegó a terminar su texto y el bucle ${did.es}, sin ese final.`,
        en: `The model got to finish its text and the loop ${did.en}, without that end.`,
      },
      { next: BOTH_HALVES },
    );
  }
  return holds({
    es: "La respuesta llegó cortada por `max_tokens` y el bucle dejó que el modelo la terminara.",
    en: "The reply came cut off by `max_tokens` and the loop let the model finish it.",
  });
}

function limitOf(run: JudgedRun, seq: number | undefined): number | null {
  const body = requestsOf(run).find((request) => request.seq === seq)?.body;
  return isRecord(body) && typeof body.max_tokens === "number" ? body.max_tokens : null;
}

/** However often it is asked: only whether it ends. */
function judgeAlways(run: JudgedRun | undefined): Verdict {
  if (run === undefined || run.outcome === "returned" || run.outcome === "threw") return holds({ es: "", en: "" });
  if (run.outcome !== "looped") return unseen(run, 1);
  const times = repliesOf(run).length;
  // It asked once and then went round by itself: what the reply was like has nothing to do with that.
  if (times < 2) return unseen(run, 1);
  return fails(
    {
      es: `Con una respuesta que siempre llega cortada por \`max_tokens\`, el bucle la pidió ${times} veces, hasta que lo detuvimos.`,
      en: `With a reply that always comes cut off by \`max_tokens\` the loop asked for it ${times} times, until we stopped it.`,
    },
    { severity: "breaks", run: 1, next: HOW_OFTEN },
  );
}

const HOW_OFTEN = {
  es: "¿Cuántas veces pide tu bucle más texto, y qué entrega cuando ya son demasiadas?",
  en: "How many times does your loop ask for more text, and what does it hand over when that is enough?",
};

export default behaviour;
