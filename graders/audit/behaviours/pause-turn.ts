import { givesReason, settled } from "../../diagnoses/find/answer.ts";
import { isEnd } from "../../diagnoses/find/calls.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import type { Behaviour, Verdict } from "../behaviour.ts";
import { didAtTheEnd, holdsWords, judgeReply, tells, wayOut } from "../handed-back.ts";
import { fails, faultIn, holds, repliesOf, say, stoppedBy, together, unseen } from "../judging.ts";

const OWN = [
  "pause-turn-as-end",
  "pause-turn-with-new-message",
  "answered-server-tool",
  "dropped-tool-result",
  "restarted-conversation",
  "missing-assistant-turn",
  "rewritten-history",
];

const end = { text: { es: "Con lo que encontré basta. {{nonce}}", en: "What I found will do. {{nonce}}" } };
const pause = {
  text: { es: "Sigo buscando. {{nonce}}", en: "Still looking. {{nonce}}" },
  stopReason: "pause_turn" as const,
};

/** A turn that the API pauses: once, and twice in a row. */
const behaviour: Behaviour = {
  id: "pause-turn",
  order: 130,
  title: {
    es: "Devuelve un turno en pausa tal como llegó, para que el modelo siga",
    en: "Sends a paused turn back as it came, so that the model goes on",
  },
  severity: "harms",
  scenarios: (cast) => [
    cast.script({ es: "Un turno en pausa", en: "A paused turn" }, [pause, end]),
    cast.script({ es: "Dos pausas seguidas", en: "Two pauses in a row" }, [pause, pause, end]),
  ],
  judge: (runs) => {
    const verdicts = runs.map((run, index) => judgeOne(run, index + 1));
    return verdicts.length === 0 ? unseen(undefined) : together(verdicts);
  },
};

function judgeOne(run: JudgedRun, pauses: number): Verdict {
  const reply = stoppedBy(run, "pause_turn");
  const what = {
    es: pauses === 1 ? "El turno llegó en pausa (`pause_turn`)" : "El turno llegó en pausa dos veces (`pause_turn`)",
    en: pauses === 1 ? "The turn came paused (`pause_turn`)" : "The turn came paused twice (`pause_turn`)",
  };
  // A loop that throws, or says in a field of its own that it does not go on, has told its caller; a Message alone has
  // told whoever reads its `stop_reason`.
  if (reply !== null && wayOut(run, holdsWords(run, reply)) === "told" && tells(run)) {
    const did = didAtTheEnd(run);
    const both = say((lang) => `${what[lang]}${lang === "es" ? ", y el bucle" : ", and the loop"} ${did[lang]}.`);
    const more = faultIn([run], OWN.slice(1));
    if (more !== null) return more;
    if (givesReason(settled(run.trace)?.value)) return holds(both);
    return fails(
      say((lang) => `${both[lang]} ${UNFINISHED[lang]}`),
      { severity: "advice", diagnosis: faultIn([run], ["pause-turn-as-end"])?.diagnosis ?? null },
    );
  }
  return judgeReply(run, reply, {
    what,
    own: OWN,
    asAnswer: UNFINISHED,
    whole: () => {
      const requests = repliesOf(run).findIndex((each) => isEnd(each)) + 1;
      return holds({
        es: `${what.es}, el bucle lo devolvió sin cambios y el modelo terminó (${requests} peticiones).`,
        en: `${what.en}, the loop sent it back unchanged and the model finished (${requests} requests).`,
      });
    },
  });
}

const UNFINISHED = {
  es: "El modelo no había terminado: esperaba que le devolvieran ese turno.",
  en: "The model had not finished: it was waiting for that turn to be sent back.",
};

export default behaviour;
