import type { JudgedRun } from "../../grading/spec.ts";
import type { Behaviour, Verdict } from "../behaviour.ts";
import { didAtTheEnd, judgeBroken } from "../handed-back.ts";
import { fails, holds, notApplicable, repliesOf, requestsOf, say, together, unseen } from "../judging.ts";
import { faultsOf } from "../retries.ts";
import { isRecord } from "../../trace/json.ts";

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
