import type { Behaviour } from "../behaviour.ts";
import { faultScripts, judgeFaults } from "../retries.ts";

const FAULTS = { status: 429, times: 1 } as const;

/** One 429, with the time to wait, and then all is well; and one after another. */
const behaviour: Behaviour = {
  id: "rate-limited",
  order: 180,
  title: {
    es: "Vuelve a intentar tras un 429, con un límite",
    en: "Tries again after a 429, up to a limit",
  },
  severity: "advice",
  scenarios: (cast) =>
    faultScripts(cast, FAULTS, { es: "Ya puedo responder. {{nonce}}", en: "Now I can answer. {{nonce}}" }),
  judge: (runs, seen) => judgeFaults(runs, seen, FAULTS),
};

export default behaviour;
