import type { Behaviour } from "../behaviour.ts";
import { isAccident } from "../handed-back.ts";
import {
  answersTo,
  ENDINGS,
  endingOf,
  fails,
  faultIn,
  holds,
  neverAnswers,
  noToolRan,
  rejectedAfter,
  repliesOf,
  unseen,
  wasTaken,
} from "../judging.ts";

/** A turn that is a call and not a word. */
const behaviour: Behaviour = {
  id: "no-text-turn",
  order: 40,
  title: {
    es: "Acepta un turno que pide una herramienta sin decir nada",
    en: "Takes a turn that asks for a tool without a word",
  },
  severity: "harms",
  scenarios: (cast) => {
    const call = cast.call();
    if (call === null) return null;
    return [
      cast.script({ es: "Un turno sin texto", en: "A turn without text" }, [
        { calls: [call] },
        { text: { es: "Esto es lo que hay. {{nonce}}", en: "This is what there is. {{nonce}}" } },
      ]),
    ];
  },
  judge: ([run], seen) => {
    const turn = run && repliesOf(run)[0];
    if (run === undefined || turn === undefined) return unseen(run);
    const answered = answersTo(run, turn);
    if (answered && wasTaken(run, answered.request)) {
      const none = noToolRan(run, seen);
      if (none !== null) return none;
      return holds({
        es: "El modelo pidió una herramienta sin texto al lado y recibió su resultado.",
        en: "The model asked for a tool without a word beside it and got its result.",
      });
    }
    const own = faultIn([run], ["empty-message-pushed"]);
    if (own !== null) return own;
    const rejected = rejectedAfter(run, turn);
    if (rejected !== null && /non-empty|non-whitespace/.test(rejected.message.en)) return rejected;
    const foreign = run.findings.some(({ id, weight }) => weight === "fault" && !ENDINGS.includes(id));
    if (foreign || (rejected !== null && !isAccident(run))) return unseen(run);
    const never = neverAnswers(seen);
    if (never !== null) return never;
    const ending = endingOf(run);
    return fails({
      es: `El modelo pidió una herramienta sin texto al lado y el bucle ${ending.es} sin enviar su resultado.`,
      en: `The model asked for a tool without a word beside it; the loop ${ending.en}, without sending its result.`,
    });
  },
};

export default behaviour;
