import type { Behaviour } from "../behaviour.ts";
import { judgeUnfit } from "../unfit-calls.ts";

/** A refusal that comes while a call is already written. */
const behaviour: Behaviour = {
  id: "refusal-with-call",
  order: 120,
  title: {
    es: "No ejecuta una llamada que viene dentro de una negativa",
    en: "Does not run a call that comes inside a refusal",
  },
  severity: "harms",
  scenarios: (cast) => {
    const call = cast.call();
    if (call === null) return null;
    return [
      cast.script({ es: "Una negativa con una llamada", en: "A refusal with a call" }, [
        {
          text: { es: "Empiezo por aquí. {{nonce}}", en: "I begin with this. {{nonce}}" },
          calls: [call],
          stopReason: "refusal",
        },
        { text: { es: "No hay más que decir. {{nonce}}", en: "There is no more to say. {{nonce}}" } },
      ]),
    ];
  },
  judge: ([run], seen) =>
    judgeUnfit(run, seen, {
      reason: "refusal",
      ran: "refused-tool-call-run",
      own: ["refusal-retried", "retry-storm"],
      what: {
        es: "Una negativa (`refusal`) llegó con una llamada ya escrita",
        en: "A refusal came with a call already written",
      },
      asAnswer: null,
    }),
};

export default behaviour;
