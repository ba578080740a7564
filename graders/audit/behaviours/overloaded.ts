import type { Behaviour } from "../behaviour.ts";
import { faultScripts, judgeFaults } from "../retries.ts";

const FAULTS = { status: 529, times: 2 } as const;

/** Two 529 in a row, and then all is well; and one after another. */
const behaviour: Behaviour = {
  id: "overloaded",
  order: 190,
  title: {
    es: "Vuelve a intentar cuando la API está saturada (529)",
    en: "Tries again when the API is overloaded (529)",
  },
  severity: "advice",
  scenarios: (cast) =>
    faultScripts(cast, FAULTS, { es: "Gracias por esperar. {{nonce}}", en: "Thank you for waiting. {{nonce}}" }),
  judge: (runs, seen) => judgeFaults(runs, seen, FAULTS),
};

export default behaviour;
