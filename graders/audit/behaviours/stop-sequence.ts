import { isRecord } from "../../trace/json.ts";
import type { Behaviour } from "../behaviour.ts";
import { requestsOf, stoppedBy } from "../judging.ts";
import { judgeEnd } from "../proper-end.ts";

/** A text that one of the caller's own stop sequences ends. */
const behaviour: Behaviour = {
  id: "stop-sequence",
  order: 150,
  title: {
    es: "Toma `stop_sequence` por un final",
    en: "Takes `stop_sequence` for an end",
  },
  severity: "harms",
  scenarios: (cast) => [
    cast.script({ es: "Una secuencia de parada", en: "A stop sequence" }, [
      { text: { es: "Esto es todo. {{nonce}}", en: "This is all. {{nonce}}" }, stopReason: "stop_sequence" },
    ]),
  ],
  judge: ([run]) =>
    judgeEnd(run, stoppedBy(run, "stop_sequence"), {
      what: { es: "La respuesta terminó con `stop_sequence`", en: "The reply ended with `stop_sequence`" },
      // Whoever sends no stop sequences never meets one, and may say so by an error.
      mayThrow: run === undefined || !requestsOf(run).some(({ body }) => isRecord(body) && body.stop_sequences),
    }),
};

export default behaviour;
