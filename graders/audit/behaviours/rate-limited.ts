import type { Behaviour } from "../behaviour.ts";
import { judgeRetry } from "../retries.ts";

/** One 429, with the time to wait, and then all is well. */
const behaviour: Behaviour = {
  id: "rate-limited",
  order: 180,
  title: {
    es: "Espera y vuelve a intentar tras un 429",
    en: "Waits and tries again after a 429",
  },
  severity: "advice",
  scenarios: (cast) => [
    cast.script({ es: "Un 429 y luego la respuesta", en: "A 429 and then the answer" }, [
      { fault: 429, retryAfterMs: 20 },
      { text: { es: "Ya puedo responder. {{nonce}}", en: "Now I can answer. {{nonce}}" } },
    ]),
  ],
  judge: ([run]) => judgeRetry(run, { status: 429, times: 1 }),
};

export default behaviour;
