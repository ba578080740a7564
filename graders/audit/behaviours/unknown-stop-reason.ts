import type { Behaviour } from "../behaviour.ts";
import { stoppedBy } from "../judging.ts";
import { judgeEnd } from "../proper-end.ts";

/** One that the API does not have so far. */
const REASON = "handed_over";

/** A text that ends for a reason nobody has heard of. */
const behaviour: Behaviour = {
  id: "unknown-stop-reason",
  order: 160,
  title: {
    es: "Se detiene ante un `stop_reason` que no conoce",
    en: "Stops at a `stop_reason` it does not know",
  },
  severity: "harms",
  scenarios: (cast) => [
    cast.script({ es: "Un stop_reason nuevo", en: "A new stop_reason" }, [
      {
        text: { es: "Hasta aquí llego. {{nonce}}", en: "This is as far as I go. {{nonce}}" },
        stopReason: { unknown: REASON },
      },
    ]),
  ],
  judge: ([run]) =>
    judgeEnd(run, stoppedBy(run, REASON), {
      what: {
        es: `La respuesta terminó con un \`stop_reason\` nuevo (\`${REASON}\`)`,
        en: `The reply ended with a new \`stop_reason\` (\`${REASON}\`)`,
      },
      mayThrow: true,
    }),
};

export default behaviour;
