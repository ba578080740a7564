import type { Behaviour } from "../behaviour.ts";
import { judgeReply } from "../handed-back.ts";
import { holds, plural, requestsAfter, stoppedBy } from "../judging.ts";

/** A refusal. */
const behaviour: Behaviour = {
  id: "refusal",
  order: 110,
  title: {
    es: "Distingue una negativa de una respuesta, y no insiste",
    en: "Tells a refusal from an answer, and does not insist",
  },
  severity: "harms",
  scenarios: (cast) => [
    cast.script({ es: "Una negativa", en: "A refusal" }, [
      {
        text: { es: "Prefiero no entrar en eso. {{nonce}}", en: "I would rather not go into that. {{nonce}}" },
        stopReason: "refusal",
      },
    ]),
  ],
  judge: ([run]) => {
    const reply = stoppedBy(run, "refusal");
    const after = run && reply ? requestsAfter(run, reply).length : 0;
    const more = { es: plural(after, "petición", "peticiones"), en: plural(after, "request", "requests") };
    const again = {
      es: after > 0 ? ` (y hubo ${more.es} después)` : "",
      en: after > 0 ? ` (and ${more.en} followed)` : "",
    };
    return judgeReply(run, reply, {
      what: { es: `La respuesta llegó con \`refusal\`${again.es}`, en: `The reply came with \`refusal\`${again.en}` },
      own: ["refusal-retried", "refusal-as-answer", "retry-storm", "empty-message-pushed"],
      asAnswer: {
        es: "Nada distingue esa negativa de una respuesta.",
        en: "Nothing tells that refusal from an answer.",
      },
      whole: () =>
        holds({
          es: "Tras la negativa el bucle siguió por otro camino.",
          en: "After the refusal the loop took another way.",
        }),
    });
  },
};

export default behaviour;
