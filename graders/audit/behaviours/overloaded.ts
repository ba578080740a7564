import type { Behaviour } from "../behaviour.ts";
import { judgeRetry } from "../retries.ts";

/** Two 529 in a row, and then all is well. */
const behaviour: Behaviour = {
  id: "overloaded",
  order: 190,
  title: {
    es: "Vuelve a intentar cuando la API está saturada (529)",
    en: "Tries again when the API is overloaded (529)",
  },
  severity: "advice",
  scenarios: (cast) => [
    cast.script({ es: "Dos 529 y luego la respuesta", en: "Two 529 and then the answer" }, [
      { fault: 529, retryAfterMs: 20 },
      { fault: 529, retryAfterMs: 20 },
      { text: { es: "Gracias por esperar. {{nonce}}", en: "Thank you for waiting. {{nonce}}" } },
    ]),
  ],
  judge: ([run]) => judgeRetry(run, { status: 529, times: 2 }),
};

export default behaviour;
