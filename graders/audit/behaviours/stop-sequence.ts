import { isRecord } from "../../trace/json.ts";
import type { Behaviour } from "../behaviour.ts";
import { requestsOf, stoppedBy } from "../judging.ts";
import { judgeEnd } from "../proper-end.ts";

/** A text that one of the caller's own stop sequences ends. */
const behaviour: Behaviour = {
  id: "stop-sequence",
  order: 150,
  title: {
    es: "Se detiene ante `stop_sequence`",
    en: "Stops at `stop_sequence`",
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
      mayThrow: run && requestsOf(run).some(({ body }) => isRecord(body) && body.stop_sequences) ? false : NONE_SENT,
    }),
};

const NONE_SENT = {
  es: "No envía `stop_sequences`, y sin ellas la API no termina así ninguna respuesta: basta con que avise.",
  en: "It sends no `stop_sequences`, and without them the API ends no reply like this: it is enough to say so.",
};

export default behaviour;
