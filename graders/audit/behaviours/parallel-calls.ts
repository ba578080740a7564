import type { Behaviour } from "../behaviour.ts";
import {
  answeredByItself,
  answersTo,
  ENDINGS,
  endingOf,
  fails,
  faultIn,
  holds,
  neverAnswers,
  oneAtATime,
  rejectedAfter,
  repliesOf,
  unseen,
  wasTaken,
} from "../judging.ts";

/** Mistakes that only show where a turn has several calls, if some call of it was answered well. */
const OWN = [
  "dropped-tool-result",
  "tool-not-run",
  "duplicate-tool-result",
  "wrong-tool-use-id",
  "wrong-tool-input",
  "tool-run-twice",
];

/** Two calls in one turn. */
const behaviour: Behaviour = {
  id: "parallel-calls",
  order: 20,
  title: {
    es: "Ejecuta todas las llamadas de un turno y responde a todas en un mensaje",
    en: "Runs every call of a turn and answers them all in one message",
  },
  severity: "harms",
  scenarios: (cast) => {
    const calls = [cast.call(), cast.call()].flatMap((call) => call ?? []);
    if (calls.length < 2) return null;
    return [
      cast.script({ es: "Dos llamadas en un turno", en: "Two calls in one turn" }, [
        { text: { es: "Voy a ver las dos cosas. {{nonce}}", en: "I will look at both. {{nonce}}" }, calls },
        { text: { es: "Aquí está todo. {{nonce}}", en: "Here is all of it. {{nonce}}" } },
      ]),
    ];
  },
  judge: ([run], seen) => {
    const turn = run && repliesOf(run)[0];
    if (run === undefined || turn === undefined) return unseen(run);
    const single = oneAtATime(run);
    if (single !== null) return single;
    const answered = answersTo(run, turn);
    const some = answered?.calls.some(({ results }) => results.length > 0) ?? false;
    const split = faultIn([run], ["split-tool-results"], { severity: "advice" });
    const own = split ?? (some ? faultIn([run], OWN) : null);
    if (own !== null) return own;
    const byItself = answered && answeredByItself(run, seen, answered.calls);
    if (byItself) return byItself;
    if (answered && wasTaken(run, answered.request) && answered.calls.every(({ results }) => results.length === 1)) {
      return holds({
        es: "El modelo pidió dos herramientas en un turno y recibió los dos resultados juntos en el mensaje siguiente.",
        en: "The model asked for two tools in one turn and got both results together in the next message.",
      });
    }
    if (run.findings.some(({ id, weight }) => weight === "fault" && !ENDINGS.includes(id))) return unseen(run);
    const rejected = rejectedAfter(run, turn);
    if (rejected !== null) return rejected;
    const never = neverAnswers(seen);
    if (never !== null) return never;
    const ending = endingOf(run);
    return fails({
      es: `El modelo pidió dos herramientas en un turno y el bucle ${ending.es} sin enviar sus resultados.`,
      en: `The model asked for two tools in one turn; the loop ${ending.en}, without sending their results.`,
    });
  },
};

export default behaviour;
