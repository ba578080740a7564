import { givesReason, settled } from "../../diagnoses/find/answer.ts";
import { isEnd } from "../../diagnoses/find/calls.ts";
import type { JudgedRun } from "../../grading/spec.ts";
import { isRecord } from "../../trace/json.ts";
import type { Behaviour, Seen, Verdict } from "../behaviour.ts";
import { didAtTheEnd, holdsWords, judgeReply, tells, wayOut } from "../handed-back.ts";
import { fails, faultIn, holds, repliesOf, requestsOf, say, stoppedBy, together, unseen } from "../judging.ts";

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

/** A turn that the API pauses: once, twice in a row, and however often it is sent back. */
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
    cast.script({ es: "Pausas sin fin", en: "Pauses without end" }, [pause], { endless: { from: 0 } }),
  ],
  judge: ([once, twice, always], seen) => {
    const paused = together([judgeOne(once, 1), judgeOne(twice, 2)]);
    const told =
      paused.status === "not-observable" ? paused : together([paused, judgeAlways(always, seen)], paused.message);
    return told.status === "fails" && !offersServerTools(once) ? unlikely(told) : told;
  },
};

/** Whether it offers tools that the API runs by itself. */
function offersServerTools(run: JudgedRun | undefined): boolean {
  const bodies = (run ? requestsOf(run) : []).map(({ body }) => body).filter(isRecord);
  return bodies.some(({ tools, mcp_servers: servers }) => {
    const types = (Array.isArray(tools) ? tools : []).filter(isRecord).map(({ type }) => type ?? "custom");
    return Array.isArray(servers) || types.some((type) => type !== "custom");
  });
}

/** Of a loop that no pause comes to. */
function unlikely(told: Verdict): Verdict {
  return { ...told, mild: true, message: say((lang) => `${told.message[lang]} ${NO_SERVER_TOOLS[lang]}`) };
}

const NO_SERVER_TOOLS = {
  es: "Tu bucle no ofrece herramientas que ejecute la propia API (como `web_search`), y solo con ellas llegan pausas.",
  en: "Your loop offers no tools that the API runs itself (like `web_search`), and only with those do pauses come.",
};

/** However often it is sent back: only whether it ends. One that never ends at all is another row's matter. */
function judgeAlways(run: JudgedRun | undefined, seen: Seen): Verdict {
  const sent = run?.outcome === "looped" ? repliesOf(run).length : 0;
  if (run === undefined || sent < 2 || seen.told.has("no-iteration-cap")) return holds({ es: "", en: "" });
  return fails(
    {
      es: `Cada turno llegó en pausa (\`pause_turn\`), y el bucle siguió ${sent} respuestas, hasta que lo detuvimos: esas vueltas no cuentan para ningún límite.`,
      en: `Every turn came paused (\`pause_turn\`), and the loop went on for ${sent} replies, until we stopped it: those turns count towards no limit.`,
    },
    { severity: "breaks", run: 2, next: COUNT_THEM },
  );
}

const COUNT_THEM = {
  es: "¿Qué vueltas cuenta tu límite? Una pausa también es una llamada al modelo.",
  en: "Which turns does your limit count? A pause is a call of the model, too.",
};

function judgeOne(run: JudgedRun | undefined, pauses: number): Verdict {
  if (run === undefined) return unseen(run);
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
